package io.pgtoaster.hibernate.schema;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.hibernate.blob.BlobMapping;
import io.pgtoaster.hibernate.event.ContentIntegration;
import io.pgtoaster.hibernate.jsonb.DocumentMapping;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.jsonb.JsonIndex;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;

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

  /** Returns the columns of all attributes, each once, ordered by name. */
  static Collection<Attachment> all(Metadata metadata, SqlStringGenerationContext names) {
    Map<String, Attachment> found = new TreeMap<>();
    new ContentIntegration(List.of(new BlobMapping(), new DocumentMapping()))
        .attributes(metadata, names).values().stream()
            .flatMap(List::stream)
            .map(a -> new Attachment(a.column(), a.kind().options(), a.kind().indexes()))
            .forEach(
                next -> {
                  Attachment other = found.putIfAbsent(next.describe(), next);
                  if (other != null && !other.equals(next)) {
                    throw new MappingException(
                        "two attributes are mapped to the column "
                            + next.describe()
                            + " with different options");
                  }
                });
    return found.values();
  }

  /**
   * Returns the statement that attaches the column if it is not attached yet, and creates the
   * indexes that do not exist.
   */
  String sql() {
    return "SELECT pgtoaster.attach_if_absent(%s, %s, %s, %s)"
            .formatted(
                Identifiers.literal(relation()),
                Identifiers.literal(column.column()),
                Identifiers.literal(options.toaster()),
                json(new TreeMap<>(options.toMap())))
        + indexes.stream().map(this::create).collect(Collectors.joining());
  }

  private String create(JsonIndex index) {
    return ", pgtoaster.create_index(%s, %s, %s, %s)"
        .formatted(
            Identifiers.literal(relation()),
            Identifiers.literal(column.column()),
            Identifiers.literal(index.kind().sqlName()),
            Identifiers.literal(
                SearchTexts.indexOptions(index.config(), index.paths(), index.fastUpdate())));
  }

  private static String json(Map<String, ?> options) {
    return Identifiers.literal(JsonbText.text(Json.toTree(options)));
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
