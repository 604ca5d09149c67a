package io.pgtoaster.hibernate.jsonb;

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

/** A {@code jsonb} value whose text the Java type reads and writes. Thread-safe. */
public class DocumentJdbcType implements JdbcType {
  private static final long serialVersionUID = 1;

  /** For columns whose values are always whole documents. */
  public static final DocumentJdbcType PLAIN = new DocumentJdbcType();

  DocumentJdbcType() {}

  /**
   * Returns whether rows may contain only part of a document.
   *
   * @return true for a column that may contain stubs
   */
  public boolean holdsStubs() {
    return false;
  }

  /** Checks the text of a parameter that is not part of a flush's INSERT. */
  void checkParameter(@Nullable String text) {}

  private <X> @Nullable String bound(JavaType<X> type, X value, WrapperOptions options) {
    String text = type.unwrap(value, String.class, options);
    if (!isInserted(value)) {
      checkParameter(text);
    }
    return text;
  }

  /** Returns whether a flush inserts a value and has already determined the column's text. */
  private static boolean isInserted(Object value) {
    return value instanceof KeyedJson<?> json
        ? json.state().isInsertionPrepared()
        : MappedKind.INSERTED.get(value) != null;
  }

  @Override
  public int getJdbcTypeCode() {
    return Types.OTHER;
  }

  @Override
  public int getDefaultSqlTypeCode() {
    return SqlTypes.JSON;
  }

  @Override
  public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
    return new BasicBinder<>(javaType, this) {
      private static final long serialVersionUID = 1;

      @Override
      protected void doBind(PreparedStatement s, X value, int index, WrapperOptions options)
          throws SQLException {
        s.setObject(index, bound(javaType, value, options), Types.OTHER);
      }

      @Override
      protected void doBind(CallableStatement s, X value, String name, WrapperOptions options)
          throws SQLException {
        s.setObject(name, bound(javaType, value, options), Types.OTHER);
      }
    };
  }

  @Override
  public <X> ValueExtractor<X> getExtractor(JavaType<X> javaType) {
    return new BasicExtractor<>(javaType, this) {
      private static final long serialVersionUID = 1;

      @Override
      protected @Nullable X doExtract(ResultSet rs, int index, WrapperOptions options)
          throws SQLException {
        return javaType.wrap(rs.getString(index), options);
      }

      @Override
      protected @Nullable X doExtract(CallableStatement s, int index, WrapperOptions options)
          throws SQLException {
        return javaType.wrap(s.getString(index), options);
      }

      @Override
      protected @Nullable X doExtract(CallableStatement s, String name, WrapperOptions options)
          throws SQLException {
        return javaType.wrap(s.getString(name), options);
      }
    };
  }

  @Override
  public String toString() {
    return "DocumentJdbcType";
  }
}
