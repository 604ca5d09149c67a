package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.Compression;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** This library's documents, with plain SQL or the server extension. */
final class PgToasterDocuments extends PostgresDocuments {
  private static final ColumnName COLUMN = ColumnName.of("bench", "docs", "data");

  PgToasterDocuments(String name, String compression, int budget) throws SQLException {
    super(Kind.of(name));
    JsonOptions options = JsonOptions.defaults();
    if (!compression.isEmpty()) {
      options = options.withCompression(Compression.valueOf(compression.toUpperCase(Locale.ROOT)));
    }
    if (budget != 0) {
      options = options.withRowBudget(budget);
    }
    PgToaster.on(database().connection()).catalog().attach(COLUMN, options);
  }

  @Override
  Session session(Connection connection) {
    return new Calls(connection, PgToaster.on(connection).documents(COLUMN));
  }

  private record Calls(Connection connection, DocumentColumn column) implements Session {
    @Override
    public void insert(long id, String json) {
      column.insertJson(id, json);
    }

    @Override
    public void put(long id, String json) {
      column.putJson(id, json);
    }

    @Override
    public String load(long id) {
      return column.text(id).orElseThrow();
    }

    @Override
    public @Nullable String get(long id, DocumentPath path) {
      try {
        return column.at(id, path).get().map(Calls::text).orElse(null);
      } catch (RowNotFoundException e) {
        // Like a SELECT, which does not find a record that another session is inserting.
        return null;
      }
    }

    @Override
    public @Nullable String text(long id, DocumentPath path) {
      return column.at(id, path).text().orElse(null);
    }

    @Override
    public Map<Long, String> getAll(Collection<Long> ids, DocumentPath path) {
      Map<Long, String> found = new LinkedHashMap<>();
      column.getAll(ids, path).forEach((id, value) -> found.put(id, text(value)));
      return found;
    }

    private static String text(JsonNode value) {
      return value.isString() ? value.stringValue() : value.toString();
    }

    @Override
    public void set(long id, DocumentPath path, Object value) {
      column.at(id, path).set(value);
    }

    @Override
    public void append(long id, DocumentPath array, Object value) {
      column.at(id, array).append(value);
    }

    @Override
    public void insertAt(long id, DocumentPath element, Object value) {
      column.at(id, element).insert(value);
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
