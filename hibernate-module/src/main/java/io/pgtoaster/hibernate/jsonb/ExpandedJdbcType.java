package io.pgtoaster.hibernate.jsonb;

import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.JdbcMappingContainer;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.SelfRenderingExpression;
import org.jspecify.annotations.Nullable;

/** A {@code jsonb} column of which whole documents are selected. */
final class ExpandedJdbcType extends DocumentJdbcType {
  private static final long serialVersionUID = 1;

  static final ExpandedJdbcType INSTANCE = new ExpandedJdbcType();

  private record Expanded(Expression column) implements SelfRenderingExpression {
    @Override
    public void renderToSql(
        SqlAppender sql, SqlAstTranslator<?> walker, SessionFactoryImplementor factory) {
      sql.append("pgtoaster.expand(");
      column.accept(walker);
      sql.append(')');
    }

    @Override
    public @Nullable JdbcMappingContainer getExpressionType() {
      return column.getExpressionType();
    }
  }

  @Override
  public Expression wrapTopLevelSelectionExpression(Expression expression) {
    return new Expanded(expression);
  }
}
