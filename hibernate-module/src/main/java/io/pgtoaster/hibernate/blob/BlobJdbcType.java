package io.pgtoaster.hibernate.blob;

import io.pgtoaster.hibernate.internal.ColumnJdbcType;
import java.sql.Types;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/** The column of a blob. */
final class BlobJdbcType extends ColumnJdbcType {
  /** A {@code bigint}, which may be inserted as NULL although the attribute has a value. */
  static final BlobJdbcType HANDLE = new BlobJdbcType(Types.BIGINT, null);

  /**
   * A {@code bytea} or {@code text} whose content is neither selected nor inserted. A SELECT
   * returns its length, which PostgreSQL knows without reading it. An INSERT writes an empty value.
   */
  static final BlobJdbcType CONTENT = new BlobJdbcType(Types.OTHER, "pg_catalog.octet_length");

  private static final long serialVersionUID = 1;

  private BlobJdbcType(int code, @Nullable String function) {
    super(code, function);
  }

  private boolean isHandle() {
    return getJdbcTypeCode() == Types.BIGINT;
  }

  @Override
  public int getDefaultSqlTypeCode() {
    return isHandle() ? Types.BIGINT : Types.VARBINARY;
  }

  @Override
  public Class<?> getPreferredJavaTypeClass(WrapperOptions options) {
    return Long.class;
  }

  @Override
  protected <X> @Nullable Object bound(JavaType<X> javaType, X value, WrapperOptions options) {
    if (isHandle()) {
      return javaType.unwrap(value, Long.class, options);
    }
    Binding.requireInserting((AppendableBlob) value);
    return "";
  }

  @Override
  protected Object selected(String text) {
    return isHandle() ? Long.valueOf(text) : Binding.UNKNOWN;
  }
}
