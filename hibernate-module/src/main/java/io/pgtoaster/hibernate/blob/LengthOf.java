package io.pgtoaster.hibernate.blob;

import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.JdbcMappingContainer;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.SelfRenderingExpression;
import org.jspecify.annotations.Nullable;

/** The number of bytes of a column, which PostgreSQL returns without reading them. */
record LengthOf(Expression column) implements SelfRenderingExpression {
  @Override
  public void renderToSql(
      SqlAppender appender, SqlAstTranslator<?> translator, SessionFactoryImplementor factory) {
    appender.append("pg_catalog.octet_length(");
    column.accept(translator);
    appender.append(')');
  }

  @Override
  public @Nullable JdbcMappingContainer getExpressionType() {
    return column.getExpressionType();
  }
}
