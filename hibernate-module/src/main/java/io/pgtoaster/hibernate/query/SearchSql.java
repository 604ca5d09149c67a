package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.internal.sql.Identifiers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.persister.entity.mutation.EntityTableMapping;
import org.hibernate.query.sqm.produce.function.FunctionArgumentException;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.ColumnReference;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.jspecify.annotations.Nullable;

/**
 * Writes the condition that a search of the table returns the row. The server runs the search once
 * per statement, with the search indexes of the column.
 */
record SearchSql(
    SqlAstTranslator<?> translator,
    String qualifier,
    String table,
    List<String> key,
    String column) {
  /**
   * Returns the search of a document's column.
   *
   * @throws FunctionArgumentException if the document is not an attribute, or its table is a union
   */
  static SearchSql of(SqlAstNode document, SqlAstTranslator<?> translator) {
    SearchSql search = find(document, translator);
    if (search == null) {
      throw new FunctionArgumentException(
          KeyedFunction.Kind.MATCHES.functionName()
              + "() searches an attribute with @KeyedColumn or of type KeyedJson in a single table;"
              + " it cannot search an edited document, or a union of tables");
    }
    return search;
  }

  /** Returns the search of a document's column, or null if only the document can be checked. */
  static @Nullable SearchSql find(SqlAstNode document, SqlAstTranslator<?> translator) {
    ContentAttribute attribute = Document.attribute(document, translator.getSessionFactory());
    if (attribute == null
        || !(document instanceof Expression expression)
        || !(expression.getExpressionType() instanceof AttributeMapping mapping)
        || expression.getColumnReference() == null) {
      return null;
    }
    ColumnReference reference = expression.getColumnReference();
    String table = mapping.getSelectable(0).getContainingTableExpression();
    for (EntityTableMapping known :
        mapping.findContainingEntityMapping().getEntityPersister().getTableMappings()) {
      if (known.getTableName().equals(table)) {
        List<String> key = new ArrayList<>();
        known.getKeyDetails().forEachKeyColumn((i, c) -> key.add(c.getColumnName()));
        String alias = reference.getQualifier();
        return new SearchSql(
            translator, alias == null ? "" : alias + ".", table, key, attribute.column().column());
      }
    }
    return null;
  }

  /** Writes the condition, with one argument of {@code pgtoaster.search}. */
  void render(SqlAppender sql, String argument, SqlAstNode value, String type) {
    sql.append("((" + key(qualifier) + ") in (select " + key("s."));
    sql.append(" from pgtoaster.search(cast(null as " + table + "),");
    sql.append(Identifiers.literal(column) + "," + argument + "=>cast(");
    value.accept(translator);
    sql.append(" as " + type + ")) s))");
  }

  private String key(String alias) {
    return key.stream().map(c -> alias + c).collect(Collectors.joining(","));
  }
}
