package io.pgtoaster.langgraph4j;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.JsonChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the changes from one JSON value to another. A list of messages that grows, or a window that
 * slides, has few of them.
 */
final class Changes {
  /** If there are more changes than this, replacing the value is cheaper. */
  private static final int MAX = 100;

  private final List<JsonEdit> edits = new ArrayList<>();

  private Changes() {}

  /** Returns the edits that change the value at a path, which exists. */
  static List<JsonEdit> between(DocumentPath path, JsonNode before, JsonNode after) {
    Changes changes = new Changes();
    changes.compare(path, before, after);
    return changes.edits.size() > MAX
        ? List.of(new JsonEdit.Set(path, after, false))
        : changes.edits;
  }

  /** Returns the changes as a JSON Patch (RFC 6902) with the operations add, remove and replace. */
  static ArrayNode patch(JsonNode before, JsonNode after) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    for (JsonEdit edit : between(DocumentPath.root(), before, after)) {
      String path = edit.path().toPointer();
      if (edit instanceof JsonEdit.Set set) {
        operation(patch, set.createMissing() ? "add" : "replace", path).set("value", set.value());
      } else if (edit instanceof JsonEdit.Insert insert) {
        operation(patch, "add", path).set("value", insert.value());
      } else if (edit instanceof JsonEdit.Append append) {
        append.elements().forEach(e -> operation(patch, "add", path + "/-").set("value", e));
      } else {
        operation(patch, "remove", path);
      }
    }
    return patch;
  }

  private static ObjectNode operation(ArrayNode patch, String name, String path) {
    return patch.addObject().put("op", name).put("path", path);
  }

  /** Changes a value in place, and returns it or the one that replaces it. */
  static JsonNode apply(JsonNode patch, JsonNode value) {
    JsonNode result = value;
    for (JsonNode operation : patch) {
      String name = operation.get("op").asString();
      List<String> steps = DocumentPath.parse(operation.get("path").asString()).steps();
      JsonNode part = operation.get("value");
      if (name.equals("remove")) {
        result = JsonChanges.remove(result, steps).root();
      } else if (steps.isEmpty()) {
        result = part;
      } else if (name.equals("replace")) {
        result = JsonChanges.set(result, steps, part, false, false).root();
      } else if (steps.get(steps.size() - 1).equals("-")
          && JsonChanges.get(result, steps.subList(0, steps.size() - 1)) instanceof ArrayNode all) {
        all.add(part);
      } else {
        result = JsonChanges.insert(result, steps, part, false).root();
      }
    }
    return result;
  }

  private void compare(DocumentPath path, JsonNode before, JsonNode after) {
    if (before.isObject() && after.isObject()) {
      for (Map.Entry<String, JsonNode> member : before.properties()) {
        if (!after.has(member.getKey())) {
          edits.add(new JsonEdit.Remove(path.key(member.getKey())));
        }
      }
      for (Map.Entry<String, JsonNode> member : after.properties()) {
        DocumentPath at = path.key(member.getKey());
        JsonNode old = before.get(member.getKey());
        if (old == null) {
          edits.add(new JsonEdit.Set(at, member.getValue(), true));
        } else {
          compare(at, old, member.getValue());
        }
      }
    } else if (before instanceof ArrayNode from && after instanceof ArrayNode to) {
      elements(path, List.copyOf(from.values()), List.copyOf(to.values()));
    } else if (!before.equals(after)) {
      edits.add(new JsonEdit.Set(path, after, false));
    }
  }

  private void elements(DocumentPath path, List<JsonNode> before, List<JsonNode> after) {
    int shorter = Math.min(before.size(), after.size());
    int start = 0;
    while (start < shorter && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
      end++;
    }
    List<JsonNode> removed = before.subList(start, before.size() - end);
    List<JsonNode> added = after.subList(start, after.size() - end);
    int moved = overlap(removed, added);
    int movedBack = moved > 0 ? 0 : overlap(added, removed);
    boolean atEnd = end == 0;
    if (moved > 0) {
      replace(path, start + removed.size(), List.of(), added.subList(moved, added.size()), atEnd);
      replace(path, start, removed.subList(0, removed.size() - moved), List.of(), false);
    } else if (movedBack > 0) {
      replace(
          path, start + movedBack, removed.subList(movedBack, removed.size()), List.of(), false);
      replace(path, start, List.of(), added.subList(0, added.size() - movedBack), false);
    } else {
      replace(path, start, removed, added, atEnd);
    }
  }

  /** Returns how many of the last elements of a list are the first elements of another. */
  private static int overlap(List<JsonNode> last, List<JsonNode> first) {
    int size = Math.min(last.size(), first.size());
    while (size > 0
        && !last.subList(last.size() - size, last.size()).equals(first.subList(0, size))) {
      size = Math.max(last.size(), first.size()) - size < MAX ? size - 1 : 0;
    }
    return size;
  }

  /** Replaces elements, last position first, so that no edit shifts the position of a later one. */
  private void replace(
      DocumentPath path, int from, List<JsonNode> removed, List<JsonNode> added, boolean atEnd) {
    int pairs = Math.min(removed.size(), added.size());
    List<JsonNode> more = added.subList(pairs, added.size());
    if (atEnd && !more.isEmpty()) {
      edits.add(new JsonEdit.Append(path, JsonNodeFactory.instance.arrayNode().addAll(more)));
    } else {
      for (int i = more.size() - 1; i >= 0; i--) {
        edits.add(new JsonEdit.Insert(path.index(from + pairs), more.get(i), false));
      }
    }
    for (int i = removed.size() - 1; i >= pairs; i--) {
      edits.add(new JsonEdit.Remove(path.index(from + i)));
    }
    for (int i = 0; i < pairs; i++) {
      compare(path.index(from + i), removed.get(i), added.get(i));
    }
  }
}
