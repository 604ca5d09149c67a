package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.JdbcMappingContainer;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.SelfRenderingExpression;
import org.jspecify.annotations.Nullable;

/** A {@code jsonb} column whose documents may be split, selected through a function. */
final class SelectedJdbcType extends DocumentJdbcType {
  private static final long serialVersionUID = 1;
  private static final String RESERVED = "$pgtoaster";

  /** Selects whole documents. */
  static final SelectedJdbcType WHOLE = new SelectedJdbcType("pgtoaster.expand");

  /**
   * Selects the stored form. With {@code pgtoaster.transparent} on, the column itself returns whole
   * documents.
   */
  static final SelectedJdbcType STORED = new SelectedJdbcType("pgtoaster.stored");

  private final String function;

  private SelectedJdbcType(String function) {
    this.function = function;
  }

  private record Call(String function, Expression column) implements SelfRenderingExpression {
    @Override
    public void renderToSql(
        SqlAppender sql, SqlAstTranslator<?> walker, SessionFactoryImplementor factory) {
      sql.append(function + "(");
      column.accept(walker);
      sql.append(')');
    }

    @Override
    public @Nullable JdbcMappingContainer getExpressionType() {
      return column.getExpressionType();
    }
  }

  /**
   * Rejects a document with the reserved key, because a statement writes it unchanged, and the
   * table's guard rejects stubs.
   */
  @Override
  void checkParameter(@Nullable String text) {
    if (text != null && text.contains(RESERVED) && Json.readStored(text).has(RESERVED)) {
      throw new InvalidJsonException(
          "the root key \"$pgtoaster\" is reserved, and a query cannot store a document that has it;"
              + " assign the document to the attribute of a loaded entity");
    }
  }

  @Override
  public boolean holdsStubs() {
    return true;
  }

  @Override
  public Expression wrapTopLevelSelectionExpression(Expression expression) {
    return new Call(function, expression);
  }
}
