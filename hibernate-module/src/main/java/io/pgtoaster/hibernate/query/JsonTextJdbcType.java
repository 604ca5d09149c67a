package io.pgtoaster.hibernate.query;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.ValueExtractor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BasicExtractor;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.jspecify.annotations.Nullable;

/** A {@code jsonb} value, sent and received as text. */
final class JsonTextJdbcType implements JdbcType {
  private static final long serialVersionUID = 1;
  static final JsonTextJdbcType INSTANCE = new JsonTextJdbcType();

  private JsonTextJdbcType() {}

  @Override
  public int getJdbcTypeCode() {
    return Types.OTHER;
  }

  @Override
  public int getDefaultSqlTypeCode() {
    return SqlTypes.JSON;
  }

  @Override
  public String toString() {
    return "JsonTextJdbcType";
  }

  @Override
  public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
    return new TextBinder<>(javaType, this);
  }

  @Override
  public <X> ValueExtractor<X> getExtractor(JavaType<X> javaType) {
    return new TextExtractor<>(javaType, this);
  }

  private static final class TextBinder<X> extends BasicBinder<X> {
    private static final long serialVersionUID = 1;

    TextBinder(JavaType<X> javaType, JdbcType jdbcType) {
      super(javaType, jdbcType);
    }

    @Override
    protected void doBind(PreparedStatement s, X value, int index, WrapperOptions options)
        throws SQLException {
      s.setObject(index, getJavaType().unwrap(value, String.class, options), Types.OTHER);
    }

    @Override
    protected void doBind(CallableStatement s, X value, String name, WrapperOptions options)
        throws SQLException {
      s.setObject(name, getJavaType().unwrap(value, String.class, options), Types.OTHER);
    }
  }

  private static final class TextExtractor<X> extends BasicExtractor<X> {
    private static final long serialVersionUID = 1;

    TextExtractor(JavaType<X> javaType, JdbcType jdbcType) {
      super(javaType, jdbcType);
    }

    @Override
    protected @Nullable X doExtract(ResultSet rows, int index, WrapperOptions options)
        throws SQLException {
      return getJavaType().wrap(rows.getString(index), options);
    }

    @Override
    protected @Nullable X doExtract(CallableStatement s, int index, WrapperOptions options)
        throws SQLException {
      return getJavaType().wrap(s.getString(index), options);
    }

    @Override
    protected @Nullable X doExtract(CallableStatement s, String name, WrapperOptions options)
        throws SQLException {
      return getJavaType().wrap(s.getString(name), options);
    }
  }
}
