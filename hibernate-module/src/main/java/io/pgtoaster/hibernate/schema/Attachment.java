package io.pgtoaster.hibernate.schema;

import io.pgtoaster.hibernate.internal.SqlLiterals;
import io.pgtoaster.spi.Identifiers;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonbText;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A column to attach.
 *
 * @param schema exact name, or null for the search path
 * @param table exact name
 * @param column exact name
 * @param toaster name of the toaster
 * @param options options in the form that the catalog accepts
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

  /** Returns the statement that attaches the column if it is not attached yet. */
  String sql() {
    String json = JsonbText.text(Json.toTree(new TreeMap<>(options)));
    return "SELECT pgtoaster.attach_if_absent(%s, %s, %s, %s)"
        .formatted(
            SqlLiterals.text(relation()),
            SqlLiterals.text(column),
            SqlLiterals.text(toaster),
            SqlLiterals.text(json));
  }

  /** Returns the table as text that PostgreSQL accepts as a {@code regclass}. */
  String relation() {
    String name = Identifiers.quote(table);
    return schema == null ? name : Identifiers.quote(schema) + "." + name;
  }

  /** Returns the name of the column for messages and comments, on one line. */
  String describe() {
    return (relation() + "." + Identifiers.quote(column)).replaceAll("\\R", " ");
  }
}
