package io.pgtoaster.hibernate.blob;

import java.io.Serial;
import java.io.Serializable;
import org.hibernate.SharedSessionContract;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.type.descriptor.java.MutabilityPlan;
import org.jspecify.annotations.Nullable;

/** Shares blobs instead of copying them, and caches their handles in the second-level cache. */
final class HandlePlan implements MutabilityPlan<AppendableBlob> {
  static final HandlePlan INSTANCE = new HandlePlan();

  @Serial private static final long serialVersionUID = 1L;

  private HandlePlan() {}

  @Override
  public boolean isMutable() {
    return false;
  }

  @Override
  public @Nullable AppendableBlob deepCopy(@Nullable AppendableBlob value) {
    return value;
  }

  @Override
  public @Nullable Serializable disassemble(
      @Nullable AppendableBlob value, SharedSessionContract session) {
    return value == null ? null : Binding.cached(value);
  }

  @Override
  public @Nullable AppendableBlob assemble(
      @Nullable Serializable cached, SharedSessionContract session) {
    return cached == null
        ? null
        : Binding.selected((Long) cached, (SharedSessionContractImplementor) session);
  }

  @Serial
  private Object readResolve() {
    return INSTANCE;
  }
}
