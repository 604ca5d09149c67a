package io.pgtoaster.hibernate.blob;

import java.io.Serial;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.ValueExtractor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BasicExtractor;
import org.hibernate.type.descriptor.jdbc.JdbcType;

/**
 * A column of type {@code bytea} or {@code text} whose content is neither selected nor inserted. A
 * SELECT returns its length, and an INSERT writes an empty value.
 */
final class ContentJdbcType implements JdbcType {
  static final ContentJdbcType INSTANCE = new ContentJdbcType();

  @Serial private static final long serialVersionUID = 1L;

  private ContentJdbcType() {}

  /** No type is given, so that the server gives the parameter the type of the column. */
  @Override
  public int getJdbcTypeCode() {
    return Types.OTHER;
  }

  @Override
  public int getDefaultSqlTypeCode() {
    return Types.VARBINARY;
  }

  @Override
  public Class<?> getPreferredJavaTypeClass(WrapperOptions options) {
    return Long.class;
  }

  @Override
  public Expression wrapTopLevelSelectionExpression(Expression expression) {
    return new LengthOf(expression);
  }

  @Override
  public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
    return new Binder<>(javaType, this);
  }

  @Override
  public <X> ValueExtractor<X> getExtractor(JavaType<X> javaType) {
    return new Extractor<>(javaType, this);
  }

  @Override
  public String getFriendlyName() {
    return "CONTENT";
  }

  @Override
  public String toString() {
    return "ContentJdbcType";
  }

  private static final class Binder<X> extends BasicBinder<X> {
    @Serial private static final long serialVersionUID = 1L;

    Binder(JavaType<X> javaType, ContentJdbcType type) {
      super(javaType, type);
    }

    @Override
    protected void doBind(PreparedStatement s, X value, int index, WrapperOptions options)
        throws SQLException {
      Binding.requireInserting((AppendableBlob) value);
      s.setObject(index, "", Types.OTHER);
    }

    @Override
    protected void doBind(CallableStatement s, X value, String name, WrapperOptions options)
        throws SQLException {
      Binding.requireInserting((AppendableBlob) value);
      s.setObject(name, "", Types.OTHER);
    }
  }

  private static final class Extractor<X> extends BasicExtractor<X> {
    @Serial private static final long serialVersionUID = 1L;

    Extractor(JavaType<X> javaType, ContentJdbcType type) {
      super(javaType, type);
    }

    private X selected(boolean isNull, WrapperOptions options) {
      return getJavaType().wrap(isNull ? null : Binding.UNKNOWN, options);
    }

    @Override
    protected X doExtract(ResultSet r, int index, WrapperOptions options) throws SQLException {
      r.getInt(index);
      return selected(r.wasNull(), options);
    }

    @Override
    protected X doExtract(CallableStatement s, int index, WrapperOptions options)
        throws SQLException {
      s.getInt(index);
      return selected(s.wasNull(), options);
    }

    @Override
    protected X doExtract(CallableStatement s, String name, WrapperOptions options)
        throws SQLException {
      s.getInt(name);
      return selected(s.wasNull(), options);
    }
  }
}
