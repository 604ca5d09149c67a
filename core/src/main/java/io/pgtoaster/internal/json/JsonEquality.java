package io.pgtoaster.internal.json;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compares JSON values. Numbers are compared by value, so 1.0 equals 1. */
public final class JsonEquality {
  private record Pair(JsonNode left, JsonNode right) {}

  private final Deque<Pair> todo = new ArrayDeque<>();

  private JsonEquality() {}

  /** Returns whether two values are equal. Does not recurse. */
  public static boolean equal(JsonNode left, JsonNode right) {
    return new JsonEquality().run(left, right);
  }

  private boolean run(JsonNode left, JsonNode right) {
    boolean same = visit(left, right);
    while (same && !todo.isEmpty()) {
      Pair pair = todo.removeLast();
      same =
          pair.left().isObject()
              ? members(pair.left(), pair.right())
              : elements(pair.left(), pair.right());
    }
    return same;
  }

  private boolean members(JsonNode left, JsonNode right) {
    for (Map.Entry<String, JsonNode> member : left.properties()) {
      if (!visit(member.getValue(), right.get(member.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private boolean elements(JsonNode left, JsonNode right) {
    Iterator<JsonNode> others = right.iterator();
    for (JsonNode element : left) {
      if (!visit(element, others.next())) {
        return false;
      }
    }
    return true;
  }

  private boolean visit(JsonNode left, @Nullable JsonNode right) {
    if (right == null) {
      return false;
    }
    if (left.isContainer()) {
      todo.addLast(new Pair(left, right));
      return left.isObject() == right.isObject()
          && right.isContainer()
          && left.size() == right.size();
    }
    if (left.isNumber() && right.isNumber()) {
      return Numbers.decimal(left).compareTo(Numbers.decimal(right)) == 0;
    }
    if (left.isString() || left.isBinary()) {
      return (right.isString() || right.isBinary()) && left.asString().equals(right.asString());
    }
    return left.equals(right);
  }
}
