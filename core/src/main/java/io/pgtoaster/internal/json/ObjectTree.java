package io.pgtoaster.internal.json;

import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BinaryNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;

/** Converts an object of an application's class to a tree. */
final class ObjectTree {
  private final JsonMapper mapper;
  private final Deque<JsonNode> todo = new ArrayDeque<>();

  private ObjectTree(JsonMapper mapper) {
    this.mapper = mapper;
  }

  static JsonNode of(Object value, JsonMapper mapper, Type type) {
    return new ObjectTree(mapper).plain(writer(value, mapper, type).valueToTree(value));
  }

  /**
   * It takes the type arguments from the declared type and the class from the value, as Jackson
   * does for a property. So the elements of a {@code List<Shape>} get type ids, and a subclass
   * keeps its own members.
   */
  private static ObjectWriter writer(Object value, JsonMapper mapper, Type type) {
    JavaType declared = mapper.constructType(type);
    return declared.hasGenericTypes() && declared.getRawClass().isInstance(value)
        ? mapper.writerFor(
            mapper.getTypeFactory().constructSpecializedType(declared, value.getClass(), true))
        : mapper.writer();
  }

  /** Replaces nodes that Jackson leaves as objects: bytes, and the text of a raw value. */
  private JsonNode plain(JsonNode root) {
    JsonNode other = replacement(root);
    while (!todo.isEmpty()) {
      JsonNode next = todo.pop();
      if (next instanceof ObjectNode object) {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          JsonNode now = replacement(member.getValue());
          if (now != null) {
            member.setValue(now);
          }
        }
      } else if (next instanceof ArrayNode array) {
        for (int i = 0; i < array.size(); i++) {
          JsonNode now = replacement(array.get(i));
          if (now != null) {
            array.set(i, now);
          }
        }
      }
    }
    return other == null ? root : other;
  }

  /** Returns the replacement of a node; null if the node stays. */
  private @Nullable JsonNode replacement(JsonNode node) {
    if (node.isContainer()) {
      todo.push(node);
      return null;
    }
    Object value =
        node instanceof POJONode pojo
            ? pojo.getPojo()
            : node instanceof BinaryNode bytes ? bytes.binaryValue() : null;
    return value == null ? null : Json.readTree(mapper.writeValueAsString(value));
  }
}
