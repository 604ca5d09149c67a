package io.pgtoaster.column;

import io.pgtoaster.internal.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Values of edits and searches that do not know the mapper of their column yet. */
final class Unconverted {
  private Unconverted() {}

  /** Returns the tree of a simple value; keeps any other object as it is. */
  static JsonNode of(@Nullable Object value) {
    return value == null
            || value instanceof JsonNode
            || value instanceof CharSequence
            || value instanceof Number
            || value instanceof Boolean
        ? Json.toTree(value)
        : JsonNodeFactory.instance.pojoNode(value);
  }
}
