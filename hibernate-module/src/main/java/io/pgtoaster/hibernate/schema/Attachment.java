package io.pgtoaster.hibernate.schema;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.hibernate.internal.SqlLiterals;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.jsonb.JsonIndex;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A column to attach.
 *
 * @param column its name
 * @param options its toaster and options
 * @param indexes its search indexes
 */
record Attachment(ColumnName column, ToasterOptions options, List<JsonIndex> indexes) {
  Attachment {
    indexes = List.copyOf(indexes);
  }

  /**
   * Returns the statement that attaches the column if it is not attached yet, and creates the
   * indexes that do not exist.
   */
  String sql() {
    String json = JsonbText.text(Json.toTree(new TreeMap<>(options.toMap())));
    return "SELECT pgtoaster.attach_if_absent(%s, %s, %s, %s)"
            .formatted(
                SqlLiterals.text(relation()),
                SqlLiterals.text(column.column()),
                SqlLiterals.text(options.toaster()),
                SqlLiterals.text(json))
        + indexes.stream().map(this::create).collect(Collectors.joining());
  }

  private String create(JsonIndex index) {
    Map<String, String> config =
        index.config() == null ? Map.of() : Map.of("config", index.config());
    return ", pgtoaster.create_index(%s, %s, %s, %s)"
        .formatted(
            SqlLiterals.text(relation()),
            SqlLiterals.text(column.column()),
            SqlLiterals.text(index.kind().sqlName()),
            SqlLiterals.text(JsonbText.text(Json.toTree(config))));
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
