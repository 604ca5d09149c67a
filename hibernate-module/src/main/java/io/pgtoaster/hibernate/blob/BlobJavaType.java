package io.pgtoaster.hibernate.blob;

import java.io.Serial;
import java.io.Serializable;
import org.hibernate.SharedSessionContract;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.jspecify.annotations.Nullable;

/** Presents an {@link AppendableBlob} to Hibernate as the handle in its column. */
public final class BlobJavaType extends AbstractClassJavaType<AppendableBlob> {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates the type. */
  public BlobJavaType() {
    super(AppendableBlob.class, new Plan());
  }

  /** Shares blobs instead of copying them, and caches their handles in the second-level cache. */
  private static final class Plan extends ImmutableMutabilityPlan<AppendableBlob> {
    private static final long serialVersionUID = 1;

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
  }

  @Override
  public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
    return BlobJdbcType.HANDLE;
  }

  @Override
  public <X> @Nullable X unwrap(
      @Nullable AppendableBlob value, Class<X> type, WrapperOptions options) {
    if (value == null) {
      return null;
    }
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    if (type == Long.class || type == Object.class) {
      return type.cast(Binding.handle(value));
    }
    throw unknownUnwrap(type);
  }

  @Override
  public <X> @Nullable AppendableBlob wrap(@Nullable X value, WrapperOptions options) {
    if (value == null) {
      return null;
    }
    if (value instanceof AppendableBlob blob) {
      return blob;
    }
    if (value instanceof Number handle) {
      return Binding.selected(handle.longValue(), options.getSession());
    }
    throw unknownWrap(value.getClass());
  }

  @Override
  public @Nullable AppendableBlob getReplacement(
      @Nullable AppendableBlob original,
      @Nullable AppendableBlob target,
      SharedSessionContractImplementor session) {
    return Binding.merged(original, target, session);
  }
}
