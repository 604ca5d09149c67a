package io.pgtoaster.langgraph4j;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.json.JsonChanges;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes as a JSON Patch (RFC 6902) with the operations add, remove and replace. */
final class Patch implements Difference.Target {
  /** If there are more changes than this, replacing the value is cheaper. */
  private static final int MAX = 100;

  private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

  private Patch() {}

  /** Returns the patch that turns one value into another. */
  static ArrayNode between(JsonNode before, JsonNode after) {
    Patch changes = new Patch();
    Difference.find(DocumentPath.root(), before, after, changes);
    if (changes.operations.size() > MAX) {
      changes.operations.removeAll();
      changes.set(DocumentPath.root(), after, false);
    }
    return changes.operations;
  }

  /** Changes a value in place, and returns it or the one that replaces it. */
  static JsonNode apply(JsonNode patch, JsonNode value) {
    JsonNode result = value;
    for (JsonNode operation : patch) {
      List<String> steps = DocumentPath.parse(operation.get("path").asString()).steps();
      result =
          switch (operation.get("op").asString()) {
            case "add" -> JsonChanges.insert(result, steps, operation.get("value"), false).root();
            case "remove" -> JsonChanges.remove(result, steps).root();
            default ->
                steps.isEmpty()
                    ? operation.get("value")
                    : JsonChanges.set(result, steps, operation.get("value"), false).root();
          };
    }
    return result;
  }

  private ObjectNode operation(String name, DocumentPath path) {
    return operations.addObject().put("op", name).put("path", path.toPointer());
  }

  @Override
  public void set(DocumentPath path, JsonNode value, boolean isNew) {
    operation(isNew ? "add" : "replace", path).set("value", value);
  }

  @Override
  public void remove(DocumentPath path) {
    operation("remove", path);
  }

  @Override
  public void insert(DocumentPath array, int position, JsonNode value) {
    set(array.index(position), value, true);
  }

  @Override
  public void append(DocumentPath array, int size, List<JsonNode> values) {
    for (int i = 0; i < values.size(); i++) {
      insert(array, size + i, values.get(i));
    }
  }

  @Override
  public void removeFirst(DocumentPath array, int count, int kept) {
    for (int i = 0; i < count; i++) {
      remove(array.index(0));
    }
  }
}
