package io.pgtoaster.internal.json;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies PostgreSQL's changes of {@code jsonb} to trees <em>in place</em>. The containers of the
 * tree are changed, and the new value itself, not a copy, becomes part of it. The {@linkplain
 * Result#root() root afterwards} is another node only if the root itself is replaced. Errors are
 * thrown before anything is changed.
 */
public final class JsonChanges {
  private static final int MAX_DIGITS = 9;

  private JsonChanges() {}

  /**
   * The outcome of a change.
   *
   * @param applied whether anything was changed
   * @param number the new number of an increment that was applied; null for other changes
   */
  public record Result(JsonNode root, boolean applied, @Nullable BigDecimal number) {
    Result(JsonNode root, boolean applied) {
      this(root, applied, null);
    }
  }

  /**
   * Returns the value at a path, like {@code #>}, not a copy; null if there is nothing at the path.
   */
  public static @Nullable JsonNode get(JsonNode root, List<String> steps) {
    JsonNode node = root;
    for (String step : steps) {
      node = child(node, step);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  private static @Nullable JsonNode child(JsonNode node, String step) {
    if (node.isObject()) {
      return node.get(step);
    }
    if (!node.isArray()) {
      return null;
    }
    OptionalInt position = Positions.read(step);
    return position.isEmpty() ? null : node.get(fromStart(position.getAsInt(), node.size()));
  }

  /** Returns the position from the start, below 0 if it is before the first element. */
  private static int fromStart(int position, int size) {
    return position < 0 ? position + size : position;
  }

  /**
   * Sets a value, like {@code jsonb_set}.
   *
   * @param createMissing whether a missing last step is added
   * @param createParents whether a missing last step and missing parents are added
   * @throws InvalidPathException if the root is a scalar, or a step into an array is not an integer
   */
  public static Result set(
      JsonNode root,
      List<String> steps,
      JsonNode value,
      boolean createMissing,
      boolean createParents) {
    requireContainer(root);
    if (createParents && !steps.isEmpty()) {
      int length = 1;
      while (length < steps.size() && get(root, steps.subList(0, length)) != null) {
        length++;
      }
      JsonNode nested = nested(steps.subList(length, steps.size()), value);
      return set(root, steps.subList(0, length), nested, true, false);
    }
    if (steps.isEmpty() || (root.isEmpty() && !createMissing)) {
      return new Result(root, false);
    }
    JsonNode parent = parent(root, steps);
    boolean applied = false;
    if (parent instanceof ObjectNode object) {
      applied = createMissing || object.has(last(steps));
      if (applied) {
        object.set(last(steps), value);
      }
    } else if (parent instanceof ArrayNode array) {
      applied = setElement(array, Positions.require(steps, steps.size() - 1), value, createMissing);
    }
    return new Result(root, applied);
  }

  /**
   * Returns a value inside of new arrays and objects, one for each step. A position of up to 9
   * characters creates an array; longer numbers, such as times, become keys.
   */
  public static JsonNode nested(List<String> steps, JsonNode value) {
    JsonNode nested = value;
    for (int i = steps.size() - 1; i >= 0; i--) {
      String step = steps.get(i);
      nested =
          step.length() <= MAX_DIGITS && Positions.isPlain(step)
              ? Json.mapper().createArrayNode().add(nested)
              : Json.mapper().createObjectNode().set(step, nested);
    }
    return nested;
  }

  private static boolean setElement(
      ArrayNode array, int position, JsonNode value, boolean createMissing) {
    int at = fromStart(position, array.size());
    if (at >= 0 && at < array.size()) {
      array.set(at, value);
      return true;
    }
    if (createMissing) {
      array.insert(at < 0 ? 0 : array.size(), value);
    }
    return createMissing;
  }

  /**
   * Inserts a value, like {@code jsonb_insert}.
   *
   * @param after whether to insert after the element instead of before it
   * @throws InvalidPathException if the root is a scalar, a step into an array is not an integer,
   *     or an object has the key
   */
  public static Result insert(JsonNode root, List<String> steps, JsonNode value, boolean after) {
    requireContainer(root);
    JsonNode parent = steps.isEmpty() ? null : parent(root, steps);
    if (parent instanceof ObjectNode object) {
      if (object.has(last(steps))) {
        throw new InvalidPathException(
            "the object already has a member with that key; set it to replace it");
      }
      object.set(last(steps), value);
    } else if (parent instanceof ArrayNode array) {
      int at = fromStart(Positions.require(steps, steps.size() - 1), array.size());
      int behind = after && at >= 0 && at < array.size() ? at + 1 : at;
      array.insert(Math.max(0, Math.min(behind, array.size())), value);
    } else {
      return new Result(root, false);
    }
    return new Result(root, true);
  }

  /**
   * Removes a value, like {@code #-}.
   *
   * @throws InvalidPathException if the root is a scalar, or a step into an array is not an integer
   */
  public static Result remove(JsonNode root, List<String> steps) {
    requireContainer(root);
    if (steps.isEmpty() || root.isEmpty()) {
      return new Result(root, false);
    }
    JsonNode parent = parent(root, steps);
    boolean applied = false;
    if (parent instanceof ObjectNode object) {
      applied = object.remove(last(steps)) != null;
    } else if (parent instanceof ArrayNode array) {
      int at = fromStart(Positions.require(steps, steps.size() - 1), array.size());
      applied = at >= 0 && array.remove(at) != null;
    }
    return new Result(root, applied);
  }

  /**
   * Adds elements after the last one of the array at a path.
   *
   * @param steps the path; if it does not find an array, nothing is changed
   * @param elements does not change; its parts become parts of the result
   */
  public static Result append(JsonNode root, List<String> steps, ArrayNode elements) {
    if (get(root, steps) instanceof ArrayNode array) {
      array.addAll(List.copyOf(elements.values()));
      return new Result(root, true);
    }
    return new Result(root, false);
  }

  /**
   * Removes elements from the start of the array at a path.
   *
   * @param steps the path; if it does not find an array, nothing is changed
   * @param elements number of elements to keep
   */
  public static Result keepLast(JsonNode root, List<String> steps, int elements) {
    if (get(root, steps) instanceof ArrayNode array) {
      ArrayNode kept = last(array, elements);
      array.removeAll().addAll(kept);
      return new Result(root, true);
    }
    return new Result(root, false);
  }

  /** Returns the last elements of an array, as another array. */
  public static ArrayNode last(ArrayNode array, int elements) {
    List<JsonNode> all = List.copyOf(array.values());
    return Json.mapper()
        .createArrayNode()
        .addAll(all.subList(Math.max(0, all.size() - elements), all.size()));
  }

  /**
   * Sets members of the object at a path.
   *
   * @param steps the path; if it does not find an object, nothing is changed
   * @param members does not change; its parts become parts of the result
   */
  public static Result setMembers(JsonNode root, List<String> steps, ObjectNode members) {
    if (get(root, steps) instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : List.copyOf(members.properties())) {
        object.set(member.getKey(), member.getValue());
      }
      return new Result(root, true);
    }
    return new Result(root, false);
  }

  /**
   * Adds to the number at a path, with {@code numeric}'s scale. A member that is missing from an
   * existing object counts as 0.
   *
   * @param steps the path; if it finds neither, nothing is changed
   * @throws InvalidPathException if the value is not a number
   * @throws InvalidJsonException if the sum has too many digits
   */
  public static Result increment(JsonNode root, List<String> steps, BigDecimal delta) {
    JsonNode before = get(root, steps);
    if (before == null) {
      if (steps.isEmpty() || !(get(root, allButLast(steps)) instanceof ObjectNode)) {
        return new Result(root, false);
      }
      before = number(BigDecimal.ZERO);
    }
    BigDecimal sum = sum(before, delta);
    return new Result(replace(root, steps, number(sum)), true, sum);
  }

  /**
   * Adds to a number as {@code numeric} does: the sum has the larger of both scales.
   *
   * @throws InvalidPathException if the node is not a number
   * @throws InvalidJsonException if the sum has too many digits
   */
  public static BigDecimal sum(JsonNode number, BigDecimal delta) {
    if (!number.isNumber()) {
      throw notANumber();
    }
    Json.checkNumber(delta);
    BigDecimal sum = withoutExponent(Numbers.decimal(number)).add(withoutExponent(delta));
    Json.checkNumber(sum);
    return sum;
  }

  /** Returns the exception for incrementing a value that is not a number. */
  public static InvalidPathException notANumber() {
    return new InvalidPathException(
        "only a number can be incremented; the value at this path has another type");
  }

  private static BigDecimal withoutExponent(BigDecimal number) {
    return number.scale() < 0 ? number.setScale(0) : number;
  }

  /** Returns the node of a number, of the type that a parser would create. */
  public static JsonNode number(BigDecimal number) {
    return Json.readStored(number.toPlainString());
  }

  /** Replaces an existing node, or adds a member to an existing object. */
  private static JsonNode replace(JsonNode root, List<String> steps, JsonNode value) {
    if (steps.isEmpty()) {
      return value;
    }
    JsonNode parent = get(root, allButLast(steps));
    if (parent instanceof ObjectNode object) {
      object.set(last(steps), value);
    } else if (parent instanceof ArrayNode array) {
      array.set(fromStart(Positions.require(steps, steps.size() - 1), array.size()), value);
    }
    return root;
  }

  /**
   * Finds the container that contains, or would contain, the last step. Every step into an array
   * must be an integer, including the last one.
   */
  private static @Nullable JsonNode parent(JsonNode root, List<String> steps) {
    JsonNode node = root;
    for (int i = 0; i < steps.size() && node != null; i++) {
      if (node.isArray()) {
        int unused = Positions.require(steps, i);
      }
      if (i == steps.size() - 1) {
        return node;
      }
      node = child(node, steps.get(i));
    }
    return null;
  }

  private static List<String> allButLast(List<String> steps) {
    return steps.subList(0, steps.size() - 1);
  }

  private static String last(List<String> steps) {
    return steps.get(steps.size() - 1);
  }

  private static void requireContainer(JsonNode root) {
    if (!root.isContainer()) {
      throw new InvalidPathException("a scalar has no members or elements to change");
    }
  }

  /**
   * Returns the result of a JSON Merge Patch (RFC 7396) on a value that is not an object: the patch
   * without members that are null. It may share values with the patch, which does not change.
   */
  public static JsonNode withoutNulls(JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    record Pair(JsonNode from, ObjectNode to) {}
    ObjectNode result = Json.mapper().createObjectNode();
    Deque<Pair> pairs = new ArrayDeque<>();
    pairs.add(new Pair(patch, result));
    while (!pairs.isEmpty()) {
      Pair pair = pairs.removeFirst();
      for (Map.Entry<String, JsonNode> member : pair.from().properties()) {
        JsonNode value = member.getValue();
        if (value.isObject()) {
          pairs.add(new Pair(value, pair.to().putObject(member.getKey())));
        } else if (!value.isNull()) {
          pair.to().set(member.getKey(), value);
        }
      }
    }
    return result;
  }

  /** Returns an error for an unknown kind of edit, so that it is not mistaken for another kind. */
  public static AssertionError unknown(Object edit) {
    return new AssertionError("no such edit: " + edit.getClass().getName());
  }
}
