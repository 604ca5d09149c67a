package io.pgtoaster.hibernate.internal;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.JdbcMappingContainer;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.SelfRenderingExpression;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.ValueExtractor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BasicExtractor;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.jspecify.annotations.Nullable;

/**
 * A column whose values are bound as one object and selected as text, possibly through a function.
 * Thread-safe.
 */
public abstract class ColumnJdbcType implements JdbcType {
  private static final long serialVersionUID = 1;

  private final int code;
  private final @Nullable String function;

  /**
   * Creates a type. With the code {@link java.sql.Types#OTHER}, the server gives parameters the
   * type of the column. The function selects the column; null selects the column itself.
   */
  protected ColumnJdbcType(int code, @Nullable String function) {
    this.code = code;
    this.function = function;
  }

  /** Returns the object to bind to a parameter; null for NULL. */
  protected abstract <X> @Nullable Object bound(
      JavaType<X> javaType, X value, WrapperOptions options);

  /**
   * Returns the object that the Java type wraps, for the text of the column or of the function's
   * result.
   */
  protected Object selected(String text) {
    return text;
  }

  /** A call of a function with the column. */
  private record Call(String function, Expression column) implements SelfRenderingExpression {
    @Override
    public void renderToSql(
        SqlAppender sql, SqlAstTranslator<?> translator, SessionFactoryImplementor factory) {
      sql.append(function + "(");
      column.accept(translator);
      sql.append(')');
    }

    @Override
    public @Nullable JdbcMappingContainer getExpressionType() {
      return column.getExpressionType();
    }
  }

  @Override
  public final Expression wrapTopLevelSelectionExpression(Expression column) {
    return function == null ? column : new Call(function, column);
  }

  @Override
  public final int getJdbcTypeCode() {
    return code;
  }

  @Override
  public final <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
    return new BasicBinder<>(javaType, this) {
      private static final long serialVersionUID = 1;

      @Override
      protected void doBind(PreparedStatement s, X value, int index, WrapperOptions options)
          throws SQLException {
        s.setObject(index, bound(javaType, value, options), code);
      }

      @Override
      protected void doBind(CallableStatement s, X value, String name, WrapperOptions options)
          throws SQLException {
        s.setObject(name, bound(javaType, value, options), code);
      }
    };
  }

  @Override
  public final <X> ValueExtractor<X> getExtractor(JavaType<X> javaType) {
    return new BasicExtractor<>(javaType, this) {
      private static final long serialVersionUID = 1;

      private @Nullable X wrap(@Nullable String text, WrapperOptions options) {
        return javaType.wrap(text == null ? null : selected(text), options);
      }

      @Override
      protected @Nullable X doExtract(ResultSet rs, int index, WrapperOptions options)
          throws SQLException {
        return wrap(rs.getString(index), options);
      }

      @Override
      protected @Nullable X doExtract(CallableStatement s, int index, WrapperOptions options)
          throws SQLException {
        return wrap(s.getString(index), options);
      }

      @Override
      protected @Nullable X doExtract(CallableStatement s, String name, WrapperOptions options)
          throws SQLException {
        return wrap(s.getString(name), options);
      }
    };
  }

  @Override
  public String toString() {
    return getClass().getSimpleName();
  }
}
