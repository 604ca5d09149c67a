package io.pgtoaster.it.toy;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.DocumentStat;
import io.pgtoaster.jsonb.Edited;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.JsonInfo;
import io.pgtoaster.jsonb.JsonType;
import io.pgtoaster.jsonb.JsonVtable;
import io.pgtoaster.jsonb.PutResult;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonChanges;
import io.pgtoaster.spi.json.JsonbText;
import io.pgtoaster.spi.json.KeyOrder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/** The primitive operations, each of them as simple as can be. */
final class ReversedVtable implements JsonVtable {
  private final ToyColumn column;

  ReversedVtable(ToyColumn column) {
    this.column = column;
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /** The document of a row; null for NULL. */
  private JsonNode load(Connection connection, RowKey key, boolean lock) throws SQLException {
    String stored = column.load(connection, key, lock, String.class);
    return stored == null ? null : Json.readTree(reversed(stored));
  }

  private void store(Connection connection, RowKey key, JsonNode document) throws SQLException {
    column.store(connection, key, document == null ? null : reversed(JsonbText.text(document)));
  }

  private JsonNode find(Connection connection, RowKey key, DocumentPath path) throws SQLException {
    JsonNode document = load(connection, key, false);
    return document == null ? null : JsonChanges.get(document, path.steps());
  }

  @Override
  public InputStream open(
      Connection connection, RowKey key, DocumentPath path, Slice slice, int window)
      throws SQLException {
    JsonNode value = find(connection, key, path);
    if (value == null || (slice != null && !value.isArray())) {
      return null;
    }
    String text =
        JsonbText.text(
            slice == null
                ? value
                : Json.mapper()
                    .createArrayNode()
                    .addAll(
                        value
                            .valueStream()
                            .skip(slice.from())
                            .limit(slice.to() - slice.from())
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
    return Optional.of(
        Arrays.stream(JsonbText.sortedKeys(value))
            .filter(k -> after == null || KeyOrder.JSONB.compare(k, after) > 0)
            .limit(limit)
            .toList());
  }

  @Override
  public Edited edit(Connection connection, RowKey key, JsonEdit given) throws SQLException {
    JsonNode document = load(connection, key, true);
    JsonEdit edit = given;
    if (given instanceof JsonEdit.Conditional conditional) {
      edit = conditional.edit();
      JsonNode present = document == null ? null : JsonChanges.get(document, edit.path().steps());
      if (!conditional.holds(present)) {
        return Edited.CONFLICT;
      }
    }
    if (document == null) {
      return Edited.MISSED;
    }
    JsonChanges.Result result = change(document, edit, edit.path().steps());
    if (result.applied()) {
      store(connection, key, result.root());
    }
    return new Edited(result.applied(), result.number(), false);
  }

  private static JsonChanges.Result change(JsonNode root, JsonEdit edit, List<String> steps) {
    if (edit instanceof JsonEdit.Set set) {
      return JsonChanges.set(root, steps, set.value(), set.createMissing());
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return JsonChanges.insert(root, steps, insert.value(), insert.after());
    }
    if (edit instanceof JsonEdit.Append append) {
      return JsonChanges.append(root, steps, append.elements());
    }
    if (edit instanceof JsonEdit.SetMembers all) {
      return JsonChanges.setMembers(root, steps, all.members());
    }
    if (edit instanceof JsonEdit.Increment increment) {
      return JsonChanges.increment(root, steps, increment.delta());
    }
    return JsonChanges.remove(root, steps);
  }

  @Override
  public PutResult put(Connection connection, RowKey key, JsonParser document) throws SQLException {
    JsonNode now = Json.readTree(document);
    JsonNode before = load(connection, key, true);
    if (before != null && JsonbText.text(before).equals(JsonbText.text(now))) {
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
    long bytes = JsonbText.text(document).length();
    return Optional.of(
        new DocumentStat(false, bytes, document.size(), 0, 0, 0, bytes, bytes, 0, List.of()));
  }
}
