package io.pgtoaster.hibernate.schema;

import io.pgtoaster.hibernate.internal.SqlLiterals;
import io.pgtoaster.spi.Identifiers;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonbText;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A column that is to be attached.
 *
 * @param schema exact name, or null for the search path
 * @param table exact name
 * @param column exact name
 * @param toaster its name
 * @param options as the catalog takes them
 */
record Attachment(
    @Nullable String schema,
    String table,
    String column,
    String toaster,
    Map<String, String> options) {
  Attachment {
    options = Map.copyOf(options);
  }

  /** The statement that attaches the column, if it is not. */
  String sql() {
    String json = JsonbText.text(Json.toTree(new TreeMap<>(options)));
    return "SELECT pgtoaster.attach_if_absent(%s, %s, %s, %s)"
        .formatted(
            SqlLiterals.text(relation()),
            SqlLiterals.text(column),
            SqlLiterals.text(toaster),
            SqlLiterals.text(json));
  }

  /** The table as a text that PostgreSQL reads as a {@code regclass}. */
  String relation() {
    String name = Identifiers.quote(table);
    return schema == null ? name : Identifiers.quote(schema) + "." + name;
  }

  /** Names the column in messages and comments, on one line. */
  String describe() {
    return (relation() + "." + Identifiers.quote(column)).replaceAll("\\R", " ");
  }
}
