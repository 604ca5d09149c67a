package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies a merge patch (RFC 7396) to a stored document. It reads only the types of the members
 * that the patch names, and changes only those members. Requires a transaction that blocks other
 * writers of the document.
 */
final class MergePatch {
  private final Connection connection;
  private final RowKey key;
  private final JsonVtable vtable;
  private final Deque<Level> todo = new ArrayDeque<>();

  /** An object of the patch whose counterpart in the document is also an object. */
  private record Level(DocumentPath path, JsonNode patch) {}

  private MergePatch(Connection connection, RowKey key, JsonVtable vtable) {
    this.connection = connection;
    this.key = key;
    this.vtable = vtable;
  }

  /**
   * Applies a patch.
   *
   * @param patch a checked value, which is not changed
   */
  static void apply(Connection connection, RowKey key, JsonVtable vtable, JsonNode patch)
      throws SQLException {
    new MergePatch(connection, key, vtable).run(patch);
  }

  private void run(JsonNode patch) throws SQLException {
    if (!patch.isObject() || !isObject(DocumentPath.root())) {
      vtable.put(connection, key, Json.parser(JsonbText.text(JsonChanges.withoutNulls(patch))));
      return;
    }
    todo.add(new Level(DocumentPath.root(), patch));
    while (!todo.isEmpty()) {
      merge(todo.removeFirst());
    }
  }

  private void merge(Level level) throws SQLException {
    ObjectNode added = Json.mapper().createObjectNode();
    for (Map.Entry<String, JsonNode> member : level.patch().properties()) {
      DocumentPath path = level.path().key(member.getKey());
      JsonNode value = member.getValue();
      if (value.isNull()) {
        vtable.edit(connection, key, new JsonEdit.Remove(path));
      } else if (value.isObject() && isObject(path)) {
        todo.addLast(new Level(path, value));
      } else {
        added.set(member.getKey(), JsonChanges.withoutNulls(value));
      }
    }
    if (!added.isEmpty()
        && !vtable.edit(connection, key, new JsonEdit.SetMembers(level.path(), added)).applied()) {
      throw new ConcurrencyException("the document was changed while it was merged; merge again");
    }
  }

  private boolean isObject(DocumentPath path) throws SQLException {
    Optional<JsonInfo> info = vtable.describe(connection, key, path, false);
    return info.isPresent() && info.get().type() == JsonType.OBJECT;
  }
}
