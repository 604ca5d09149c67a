package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.internal.json.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What stands in a row of a keyed column, for pgtoaster's own modules: the document, or its stub
 * with the members that have not left.
 *
 * @param document number of the document; null if it is plain, so that {@code root} is all of it
 * @param rest whether members that are not in {@code root} may be stored elsewhere
 * @param root the members under the keys that their users gave them
 */
public record StubText(@Nullable Long document, boolean rest, JsonNode root) {
  private static final String HEADER = "\"" + Markers.KEY + "\": [";

  /**
   * Reads the text of a row.
   *
   * @param row as PostgreSQL prints the column
   * @param left stands in {@code root} where a member has left
   * @return what it says
   */
  public static StubText read(String row, Left left) {
    JsonNode stored = Json.readStored(row);
    JsonNode header = row.contains(HEADER) && stored.isObject() ? stored.get(Markers.KEY) : null;
    Long document = header == null ? null : Markers.number(header.get(0));
    if (document == null || header == null) {
      return new StubText(null, false, stored);
    }
    ((ObjectNode) stored).remove(Markers.KEY);
    return new StubText(document, header.size() > 1, shown(stored, left));
  }

  /** Makes the nodes that stand for members that have left. */
  @FunctionalInterface
  public interface Left {
    /**
     * Makes a node.
     *
     * @return a node for one member
     */
    JsonNode node();
  }

  /**
   * Tells whether a document can be stored in its row as it is. One with keys that look like
   * markers cannot: it is split, whatever its size.
   *
   * @param document any
   * @return true if so
   */
  public static boolean canBePlain(JsonNode document) {
    return !Markers.hasSuchKey(document);
  }

  private record Copy(JsonNode from, JsonNode to) {}

  private static JsonNode shown(JsonNode stored, Left left) {
    Deque<Copy> todo = new ArrayDeque<>();
    JsonNode root = JsonNodeFactory.instance.objectNode();
    todo.push(new Copy(stored, root));
    while (!todo.isEmpty()) {
      Copy next = todo.pop();
      if (next.to() instanceof ObjectNode object) {
        next.from()
            .properties()
            .forEach(
                m -> object.set(Markers.unescape(m.getKey()), shown(m.getValue(), left, todo)));
      } else if (next.to() instanceof ArrayNode array) {
        next.from().forEach(element -> array.add(shown(element, left, todo)));
      }
    }
    return root;
  }

  private static JsonNode shown(JsonNode value, Left left, Deque<Copy> todo) {
    if (Markers.branch(value) != null) {
      return left.node();
    }
    if (!value.isContainer()) {
      return value;
    }
    JsonNode copy =
        value.isObject()
            ? JsonNodeFactory.instance.objectNode()
            : JsonNodeFactory.instance.arrayNode();
    todo.push(new Copy(value, copy));
    return copy;
  }
}
