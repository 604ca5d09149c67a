package io.pgtoaster.internal.json;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Copies trees of any depth, without recursion. */
public final class JsonCopies {
  private record Copy(JsonNode from, JsonNode to) {}

  private final UnaryOperator<String> key;
  private final UnaryOperator<JsonNode> value;
  private final Deque<Copy> todo = new ArrayDeque<>();

  private JsonCopies(UnaryOperator<String> key, UnaryOperator<JsonNode> value) {
    this.key = key;
    this.value = value;
  }

  /**
   * Copies a tree.
   *
   * @return a tree that shares no containers with the original
   */
  public static JsonNode copy(JsonNode root) {
    return copy(root, UnaryOperator.identity(), UnaryOperator.identity());
  }

  /**
   * Copies a tree and replaces keys or values.
   *
   * @param value returns the replacement of each value; the content of a replacement that is a
   *     container is copied in the same way
   * @return a tree that shares no containers with the original
   */
  public static JsonNode copy(
      JsonNode root, UnaryOperator<String> key, UnaryOperator<JsonNode> value) {
    return new JsonCopies(key, value).all(root);
  }

  private JsonNode all(JsonNode given) {
    JsonNode root = one(given);
    while (!todo.isEmpty()) {
      Copy next = todo.pop();
      if (next.to() instanceof ObjectNode object) {
        next.from().properties().forEach(m -> object.set(key.apply(m.getKey()), one(m.getValue())));
      } else if (next.to() instanceof ArrayNode array) {
        next.from().forEach(element -> array.add(one(element)));
      }
    }
    return root;
  }

  private JsonNode one(JsonNode given) {
    JsonNode from = value.apply(given);
    if (!from.isContainer()) {
      return from;
    }
    JsonNode to =
        from.isObject()
            ? JsonNodeFactory.instance.objectNode()
            : JsonNodeFactory.instance.arrayNode();
    todo.push(new Copy(from, to));
    return to;
  }
}
