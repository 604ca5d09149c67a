package io.pgtoaster.it.toy;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonTrees;
import io.pgtoaster.spi.JsonVtable;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The basic operations, as simple as possible. */
record ReversedVtable(ToyColumn column) implements JsonVtable {
  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /** Returns the document of a row, or null. */
  private JsonNode load(Connection connection, RowKey key, boolean lock) throws SQLException {
    String stored = column.load(connection, key, lock, String.class);
    return stored == null ? null : JsonTrees.read(reversed(stored));
  }

  private void store(Connection connection, RowKey key, JsonNode document) throws SQLException {
    column.store(connection, key, document == null ? null : reversed(JsonTrees.text(document)));
  }

  private JsonNode find(Connection connection, RowKey key, DocumentPath path) throws SQLException {
    JsonNode document = load(connection, key, false);
    return document == null ? null : JsonTrees.find(document, path);
  }

  @Override
  public InputStream open(
      Connection connection, RowKey key, DocumentPath path, Slice slice, int window)
      throws SQLException {
    JsonNode value = find(connection, key, path);
    if (value == null || (slice != null && !value.isArray())) {
      return null;
    }
    Slice range = slice == null ? null : slice.within(value.size());
    String text =
        JsonTrees.text(
            range == null
                ? value
                : JsonNodeFactory.instance
                    .arrayNode()
                    .addAll(
                        value
                            .valueStream()
                            .skip(range.from())
                            .limit(range.to() - range.from())
                            .toList()));
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<JsonInfo> describe(
      Connection connection, RowKey key, DocumentPath path, boolean size) throws SQLException {
    JsonNode value = find(connection, key, path);
    return value == null
        ? Optional.empty()
        : Optional.of(
            new JsonInfo(
                JsonType.named(value.getNodeType().name()),
                size && value.isContainer() ? value.size() : -1));
  }

  @Override
  public Optional<List<String>> keys(
      Connection connection, RowKey key, DocumentPath path, String after, int limit)
      throws SQLException {
    JsonNode value = find(connection, key, path);
    if (value == null || !value.isObject()) {
      return Optional.empty();
    }
    return Optional.of(JsonTrees.keys(value, after, limit));
  }

  @Override
  public Edited edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    JsonTrees.Changed changed = JsonTrees.change(load(connection, key, true), edit);
    if (changed.outcome().applied()) {
      store(connection, key, changed.root());
    }
    return changed.outcome();
  }

  @Override
  public PutResult put(Connection connection, RowKey key, JsonParser document) throws SQLException {
    JsonNode now = JsonTrees.read(document);
    JsonNode before = load(connection, key, true);
    if (before != null && JsonTrees.text(before).equals(JsonTrees.text(now))) {
      return new PutResult(0, 0, 0);
    }
    store(connection, key, now);
    return new PutResult(1, 0, 0);
  }

  @Override
  public void clear(Connection connection, RowKey key) throws SQLException {
    if (load(connection, key, true) != null) {
      store(connection, key, null);
    }
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    JsonNode unused = load(connection, key, false);
    return List.of();
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    JsonNode unused = load(connection, key, true);
    return 0;
  }

  @Override
  public Optional<DocumentStat> stat(Connection connection, RowKey key) throws SQLException {
    JsonNode document = load(connection, key, false);
    if (document == null) {
      return Optional.empty();
    }
    long bytes = JsonTrees.text(document).length();
    return Optional.of(
        new DocumentStat(false, bytes, document.size(), 0, 0, 0, bytes, bytes, 0, List.of()));
  }
}
