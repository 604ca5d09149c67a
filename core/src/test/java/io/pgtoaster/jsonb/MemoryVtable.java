package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonVtable;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One document in memory, with a list of the calls. */
final class MemoryVtable implements JsonVtable {
  final List<String> calls = new ArrayList<>();
  private @Nullable JsonNode document;

  MemoryVtable(@Nullable String document) {
    this.document = document == null ? null : Json.readTree(document);
  }

  @Nullable String text() {
    return document == null ? null : JsonbText.text(document);
  }

  private @Nullable JsonNode at(DocumentPath path) {
    return document == null ? null : JsonChanges.get(document, path.steps());
  }

  @Override
  public @Nullable InputStream open(
      Connection connection, RowKey key, DocumentPath path, @Nullable Slice slice, int window) {
    calls.add("open " + path);
    JsonNode found = at(path);
    return found == null
        ? null
        : new ByteArrayInputStream(JsonbText.text(found).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<JsonInfo> describe(
      Connection connection, RowKey key, DocumentPath path, boolean size) {
    calls.add("describe " + path);
    JsonNode found = at(path);
    return found == null
        ? Optional.empty()
        : Optional.of(
            new JsonInfo(
                JsonType.named(found.getNodeType().name()),
                size && found.isContainer() ? found.size() : -1));
  }

  @Override
  public Optional<List<String>> keys(
      Connection connection, RowKey key, DocumentPath path, @Nullable String after, int limit) {
    JsonNode found = at(path);
    return found == null || !found.isObject()
        ? Optional.empty()
        : Optional.of(Arrays.asList(JsonbText.sortedKeys(found)));
  }

  @Override
  public Edited edit(Connection connection, RowKey key, JsonEdit edit) {
    calls.add(edit.getClass().getSimpleName() + " " + edit.path());
    if (edit instanceof JsonEdit.Conditional conditional && !conditional.holds(at(edit.path()))) {
      return Edited.CONFLICT;
    }
    if (document == null) {
      return Edited.MISSED;
    }
    JsonChanges.Result result = change(document, edit.path().steps(), edit);
    document = result.root();
    return new Edited(result.applied(), result.number(), false);
  }

  private static JsonChanges.Result change(JsonNode root, List<String> steps, JsonEdit given) {
    JsonEdit edit = given instanceof JsonEdit.Conditional conditional ? conditional.edit() : given;
    if (edit instanceof JsonEdit.Set set) {
      return JsonChanges.set(
          root, steps, copy(set.value()), set.createMissing(), set.createParents());
    } else if (edit instanceof JsonEdit.Insert insert) {
      return JsonChanges.insert(root, steps, copy(insert.value()), insert.after());
    } else if (edit instanceof JsonEdit.Append append) {
      return JsonChanges.append(root, steps, (ArrayNode) copy(append.elements()));
    } else if (edit instanceof JsonEdit.KeepLast keep) {
      return JsonChanges.keepLast(root, steps, keep.elements());
    } else if (edit instanceof JsonEdit.SetMembers all) {
      return JsonChanges.setMembers(root, steps, (ObjectNode) copy(all.members()));
    } else if (edit instanceof JsonEdit.Increment increment) {
      return JsonChanges.increment(root, steps, increment.delta());
    }
    return JsonChanges.remove(root, steps);
  }

  private static JsonNode copy(JsonNode value) {
    return Json.readTree(JsonbText.text(value));
  }

  @Override
  public PutResult put(Connection connection, RowKey key, JsonParser given) {
    calls.add("put");
    document = Json.readTree(given);
    return new PutResult(1, 0, 0);
  }

  @Override
  public void clear(Connection connection, RowKey key) {
    calls.add("clear");
    document = null;
  }

  @Override
  public Optional<DocumentStat> stat(Connection connection, RowKey key) {
    return Optional.empty();
  }
}
