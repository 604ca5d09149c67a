package io.pgtoaster.hibernate.schema;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.hibernate.internal.SqlLiterals;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.sql.Identifiers;
import java.util.TreeMap;

/**
 * A column to attach.
 *
 * @param column its name
 * @param options its toaster and options
 */
record Attachment(ColumnName column, ToasterOptions options) {

  /** Returns the statement that attaches the column if it is not attached yet. */
  String sql() {
    String json = JsonbText.text(Json.toTree(new TreeMap<>(options.toMap())));
    return "SELECT pgtoaster.attach_if_absent(%s, %s, %s, %s)"
        .formatted(
            SqlLiterals.text(relation()),
            SqlLiterals.text(column.column()),
            SqlLiterals.text(options.toaster()),
            SqlLiterals.text(json));
  }

  /** Returns the table as text that PostgreSQL accepts as a {@code regclass}. */
  String relation() {
    String name = Identifiers.quote(column.table());
    return column.schema() == null ? name : Identifiers.quote(column.schema()) + "." + name;
  }

  /** Returns the name of the column for messages and comments, on one line. */
  String describe() {
    return (relation() + "." + Identifiers.quote(column.column())).replaceAll("\\R", " ");
  }
}
