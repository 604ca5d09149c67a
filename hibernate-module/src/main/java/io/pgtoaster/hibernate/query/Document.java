package io.pgtoaster.hibernate.query;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.jsonb.ColumnSettings;
import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.jsonb.JsonIndex;
import java.util.List;
import java.util.regex.Pattern;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.JdbcMappingContainer;
import org.hibernate.query.sqm.function.SelfRenderingFunctionSqlAstExpression;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.jspecify.annotations.Nullable;

/**
 * A document in a statement.
 *
 * @param stock whether its column is an ordinary one
 * @param inline paths of members that are never moved out of line
 * @param containmentIndex whether its column has a search index for containment
 */
record Document(boolean stock, List<DocumentPath> inline, boolean containmentIndex) {
  /** Keys that are stored differently in a split document. */
  private static final Pattern ESCAPED = Pattern.compile("\\$+pgtoaster");

  private static final Document ANY = new Document(false, List.of(), false);

  Document {
    inline = List.copyOf(inline);
  }

  /**
   * Returns the mapping's settings for an argument, even if it is edited. Assumes nothing about
   * other expressions.
   */
  static Document of(SqlAstNode argument, SessionFactoryImplementor factory) {
    if (argument instanceof SelfRenderingFunctionSqlAstExpression<?> function
        && QueryFunctions.isEdit(function.getFunctionName())) {
      return of(function.getArguments().get(0), factory);
    }
    ContentAttribute attribute = attribute(argument, factory);
    if (attribute == null) {
      return ANY;
    }
    ColumnSettings settings = ColumnSettings.of(attribute.options(KeyedColumn.class));
    List<DocumentPath> inline = settings.options().keepInline();
    boolean indexed =
        settings.indexes().stream().anyMatch(i -> i.kind() == JsonIndex.Kind.CONTAINMENT);
    return new Document(!settings.holdsStubs(), inline == null ? List.of() : inline, indexed);
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

  /** Returns true if the value at these steps, and everything below it, is always in the row. */
  boolean keeps(List<String> steps) {
    return stock
        || (steps.stream().noneMatch(s -> ESCAPED.matcher(s).matches()) && isPinned(steps));
  }

  private boolean isPinned(List<String> steps) {
    return inline.stream()
        .map(DocumentPath::steps)
        .anyMatch(p -> p.size() <= steps.size() && p.equals(steps.subList(0, p.size())));
  }
}
