package io.pgtoaster.hibernate.query;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.hibernate.jsonb.ColumnSettings;
import io.pgtoaster.internal.json.Json;
import java.util.List;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.Literal;
import tools.jackson.databind.JsonNode;

/** Writes the condition that a document contains another. */
final class ContainsSql {
  private ContainsSql() {}

  /**
   * Writes the operator, which can use indexes, if everything it reads is in the row. Otherwise
   * writes a search if the mapping has an index for it.
   */
  static void render(
      SqlAppender sql, SqlAstTranslator<?> translator, SqlAstNode document, SqlAstNode probe) {
    ColumnSettings mapped = Document.settings(document, translator.getSessionFactory());
    boolean inline = isInline(mapped, probe);
    SearchSql search =
        !inline && mapped.containmentIndex() ? SearchSql.find(document, translator) : null;
    if (search != null) {
      search.render(sql, "contains", probe, "jsonb");
      return;
    }
    sql.append(inline ? "(" : "pgtoaster.contains(");
    document.accept(translator);
    sql.append(inline ? "@>cast(" : ",cast(");
    probe.accept(translator);
    sql.append(" as jsonb))");
  }

  private static boolean isInline(ColumnSettings document, SqlAstNode probe) {
    if (!document.holdsStubs()) {
      return true;
    }
    if (!(probe instanceof Literal literal)
        || !(literal.getLiteralValue() instanceof String text)) {
      return false;
    }
    try {
      JsonNode json = Json.readTree(text);
      return json.isObject()
          && !json.isEmpty()
          && json.propertyNames().stream().allMatch(key -> document.keeps(List.of(key)));
    } catch (InvalidJsonException e) {
      // The server reports the error.
      return false;
    }
  }
}
