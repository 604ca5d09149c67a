package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.jsonb.ColumnSettings;
import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import io.pgtoaster.hibernate.jsonb.JsonKind;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.JdbcMappingContainer;
import org.hibernate.query.sqm.function.SelfRenderingFunctionSqlAstExpression;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.jspecify.annotations.Nullable;

/** Documents in a statement. */
final class Document {
  private Document() {}

  /**
   * Returns the mapping's settings for an argument, even if it is edited. For other expressions,
   * returns the defaults, which promise nothing.
   */
  static ColumnSettings settings(SqlAstNode argument, SessionFactoryImplementor factory) {
    if (argument instanceof SelfRenderingFunctionSqlAstExpression<?> function
        && QueryFunctions.isEdit(function.getFunctionName())) {
      return settings(function.getArguments().get(0), factory);
    }
    ContentAttribute attribute = attribute(argument, factory);
    return attribute != null && attribute.kind() instanceof JsonKind json
        ? json.settings()
        : ColumnSettings.DEFAULT;
  }

  static @Nullable ContentAttribute attribute(
      SqlAstNode argument, SessionFactoryImplementor factory) {
    return argument instanceof Expression expression
            && expression.getExpressionType() instanceof AttributeMapping mapping
        ? Contents.of(factory)
            .attribute(
                mapping.findContainingEntityMapping().getEntityName(), mapping.getAttributeName())
        : null;
  }

  /** Returns the type of a JSON expression, or null for any other. */
  static @Nullable DocumentJdbcType type(SqlAstNode node) {
    JdbcMappingContainer type =
        node instanceof Expression expression ? expression.getExpressionType() : null;
    return type != null
            && type.getJdbcTypeCount() == 1
            && type.getSingleJdbcMapping().getJdbcType() instanceof DocumentJdbcType document
        ? document
        : null;
  }
}
