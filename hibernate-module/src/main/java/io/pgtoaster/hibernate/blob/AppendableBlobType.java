package io.pgtoaster.hibernate.blob;

import java.io.Serializable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.usertype.UserType;
import org.jspecify.annotations.Nullable;

/**
 * Maps an attribute with {@code @Type(AppendableBlobType.class)}, for cases in which Hibernate does
 * not discover the types of attributes. For columns of handles, the annotation has no other effect.
 */
public final class AppendableBlobType implements UserType<AppendableBlob> {
  /** Creates the type; called by Hibernate. */
  public AppendableBlobType() {}

  @Override
  public int getSqlType() {
    return Types.BIGINT;
  }

  @Override
  public Class<AppendableBlob> returnedClass() {
    return AppendableBlob.class;
  }

  @Override
  public @Nullable AppendableBlob nullSafeGet(ResultSet r, int position, WrapperOptions options)
      throws SQLException {
    long handle = r.getLong(position);
    return r.wasNull() ? null : Binding.selected(handle, options.getSession());
  }

  @Override
  public void nullSafeSet(
      PreparedStatement s, @Nullable AppendableBlob value, int position, WrapperOptions options)
      throws SQLException {
    @Nullable Long handle = value == null ? null : Binding.handle(value);
    if (handle == null) {
      s.setNull(position, Types.BIGINT);
    } else {
      s.setLong(position, handle);
    }
  }

  @Override
  public AppendableBlob deepCopy(AppendableBlob value) {
    return value;
  }

  @Override
  public boolean isMutable() {
    return false;
  }

  @Override
  public @Nullable Serializable disassemble(@Nullable AppendableBlob value) {
    return value == null ? null : Binding.cached(value);
  }

  @Override
  public @Nullable AppendableBlob assemble(@Nullable Serializable cached, Object owner) {
    return cached == null ? null : Binding.selected((Long) cached, null);
  }

  @Override
  public @Nullable AppendableBlob replace(
      @Nullable AppendableBlob detached, @Nullable AppendableBlob managed, Object owner) {
    return Binding.merged(detached, managed, null);
  }
}
