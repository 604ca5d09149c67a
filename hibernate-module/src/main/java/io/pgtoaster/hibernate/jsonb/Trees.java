package io.pgtoaster.hibernate.jsonb;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Walks through trees. Needs no stack for nesting. */
final class Trees {
  private Trees() {}

  /** Tells the parts of a tree that are, or were, elsewhere. */
  static void forEachLeft(JsonNode tree, Consumer<Left> parts) {
    Deque<JsonNode> todo = new ArrayDeque<>();
    todo.push(tree);
    while (!todo.isEmpty()) {
      JsonNode next = todo.pop();
      Left left = Left.in(next);
      if (left != null) {
        parts.accept(left);
      }
      for (JsonNode child : next) {
        if (child.isContainer() || child.isPojo()) {
          todo.push(child);
        }
      }
    }
  }

  /**
   * Puts the parts of a container in their places.
   *
   * @return false if not all of them have been read; nothing is changed then
   */
  static boolean settle(JsonNode container) {
    boolean[] all = {true};
    forEachLeft(container, left -> all[0] &= left.value() != null);
    if (!all[0]) {
      return false;
    }
    Deque<JsonNode> todo = new ArrayDeque<>();
    todo.push(container);
    while (!todo.isEmpty()) {
      JsonNode next = todo.pop();
      if (next instanceof ObjectNode object) {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          Left left = Left.in(member.getValue());
          JsonNode value = left == null ? null : left.value();
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
