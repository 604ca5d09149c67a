package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.JsonChanges;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;

/** The known values of a part of a document that is outside of the row. Not thread-safe. */
final class StoredPart {
  private final Map<List<String>, ReadValue> read = new HashMap<>();
  private @Nullable JsonNode value;
  private boolean ahead;

  /** Returns a node that represents a part in a tree. */
  static JsonNode node() {
    return JsonNodeFactory.instance.pojoNode(new StoredPart());
  }

  static @Nullable StoredPart in(JsonNode node) {
    return node instanceof POJONode pojo && pojo.getPojo() instanceof StoredPart part ? part : null;
  }

  /** Returns the whole part, if it was read. */
  @Nullable JsonNode value() {
    return value;
  }

  void value(JsonNode all) {
    value = all;
    read.clear();
  }

  /**
   * Returns whether it has changes that are neither in the database nor in the values that were
   * read.
   */
  boolean isAhead() {
    return ahead;
  }

  /** Returns the value at a path of the document; null if it was not read. */
  @Nullable ReadValue find(List<String> path) {
    for (int length = path.size(); length > 0; length--) {
      ReadValue found = read.get(path.subList(0, length));
      if (found != null) {
        JsonNode there = found.value();
        return there == null
            ? found
            : new ReadValue(JsonChanges.get(there, path.subList(length, path.size())));
      }
    }
    return null;
  }

  void learn(List<String> path, Optional<JsonNode> found) {
    read.put(List.copyOf(path), new ReadValue(found.orElse(null)));
  }

  /** Records a change within the part. */
  void change(JsonEdit edit) {
    List<String> path = edit.path().steps();
    read.clear();
    ahead = true;
    if (edit instanceof JsonEdit.Set set && set.createMissing() && isKey(path)) {
      read.put(path, new ReadValue(set.value()));
    } else if (edit instanceof JsonEdit.Remove && isKey(path)) {
      read.put(path, new ReadValue(null));
    }
  }

  /**
   * Returns whether a path ends with a key; after a change, a position may refer to another
   * element.
   */
  private static boolean isKey(List<String> path) {
    String last = path.get(path.size() - 1);
    return last.isEmpty() || !Character.isDigit(last.charAt(last.length() - 1));
  }

  /** Called when the changes have been rolled back. */
  void notWritten() {
    ahead = true;
  }

  /** Called when the changes have been written. */
  void written() {
    ahead = false;
  }

  /** Visits the parts of a tree that are, or were, outside of the row. */
  static void forEach(JsonNode tree, Consumer<StoredPart> parts) {
    Deque<JsonNode> todo = new ArrayDeque<>();
    todo.push(tree);
    while (!todo.isEmpty()) {
      JsonNode next = todo.pop();
      StoredPart part = StoredPart.in(next);
      if (part != null) {
        parts.accept(part);
      }
      for (JsonNode child : next) {
        if (child.isContainer() || child.isPojo()) {
          todo.push(child);
        }
      }
    }
  }

  /**
   * Replaces the parts of a container with their values, which have been read.
   *
   * @return false if not all of them were read; nothing is changed
   */
  static boolean fillIn(JsonNode container) {
    boolean[] all = {true};
    forEach(container, part -> all[0] &= part.value() != null);
    if (!all[0]) {
      return false;
    }
    Deque<JsonNode> todo = new ArrayDeque<>();
    todo.push(container);
    while (!todo.isEmpty()) {
      JsonNode next = todo.pop();
      if (next instanceof ObjectNode object) {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          StoredPart part = StoredPart.in(member.getValue());
          JsonNode value = part == null ? null : part.value();
          if (value != null) {
            member.setValue(value);
          } else if (member.getValue().isContainer()) {
            todo.push(member.getValue());
          }
        }
      } else {
        next.forEach(element -> todo.push(element));
      }
    }
    return true;
  }
}
