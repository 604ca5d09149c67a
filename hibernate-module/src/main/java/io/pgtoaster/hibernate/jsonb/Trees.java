package io.pgtoaster.hibernate.jsonb;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Walks through trees. Does not recurse. */
final class Trees {
  private Trees() {}

  /** Visits the parts of a tree that are, or were, outside of the row. */
  static void forEachStored(JsonNode tree, Consumer<StoredPart> parts) {
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
    forEachStored(container, part -> all[0] &= part.value() != null);
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
