package io.pgtoaster.langgraph4j;

import io.pgtoaster.column.DocumentPath;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Finds changes that turn one JSON value into another. In arrays it finds elements that were added
 * or removed at the start, at the end or at one place between, so that a list of messages that
 * grows, or a window that slides, has few changes.
 */
final class Difference {
  /** Receives changes in an order in which they can be made. */
  interface Target {
    /** Replaces an existing value, or adds a member. */
    void set(DocumentPath path, JsonNode value, boolean isNew);

    void remove(DocumentPath path);

    void insert(DocumentPath array, int position, JsonNode value);

    /**
     * Adds elements at the end.
     *
     * @param size of the array
     */
    void append(DocumentPath array, int size, List<JsonNode> values);

    /**
     * Removes elements from the start.
     *
     * @param kept number of the other elements
     */
    void removeFirst(DocumentPath array, int count, int kept);
  }

  private final Target target;

  private Difference(Target target) {
    this.target = target;
  }

  /** Reports the changes from one value to another, both at the given path. */
  static void find(DocumentPath path, JsonNode before, JsonNode after, Target target) {
    new Difference(target).compare(path, before, after);
  }

  private void compare(DocumentPath path, JsonNode before, JsonNode after) {
    if (before.isObject() && after.isObject()) {
      members(path, before, after);
    } else if (before instanceof ArrayNode from && after instanceof ArrayNode to) {
      elements(path, from, to);
    } else if (!before.equals(after)) {
      target.set(path, after, false);
    }
  }

  private void members(DocumentPath path, JsonNode before, JsonNode after) {
    for (Map.Entry<String, JsonNode> member : before.properties()) {
      if (!after.has(member.getKey())) {
        target.remove(path.key(member.getKey()));
      }
    }
    for (Map.Entry<String, JsonNode> member : after.properties()) {
      JsonNode old = before.get(member.getKey());
      if (old == null) {
        target.set(path.key(member.getKey()), member.getValue(), true);
      } else {
        compare(path.key(member.getKey()), old, member.getValue());
      }
    }
  }

  private void elements(DocumentPath path, ArrayNode before, ArrayNode after) {
    int shorter = Math.min(before.size(), after.size());
    int start = 0;
    while (start < shorter && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shorter - start && equalFromEnd(before, after, end)) {
      end++;
    }
    int removed = before.size() - start - end;
    int added = after.size() - start - end;
    // After a window has moved, the last of these elements before are the first ones after.
    int moved = overlap(before, start, removed, after, start, added);
    if (moved > 0) {
      replace(path, before, start + removed, 0, after, start + moved, added - moved);
      replace(path, before, start, removed - moved, after, start, 0);
      return;
    }
    moved = overlap(after, start, added, before, start, removed);
    if (moved > 0) {
      replace(path, before, start + moved, removed - moved, after, start + added, 0);
      replace(path, before, start, 0, after, start, added - moved);
      return;
    }
    replace(path, before, start, removed, after, start, added);
  }

  private static boolean equalFromEnd(ArrayNode before, ArrayNode after, int end) {
    return before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end));
  }

  /**
   * Returns how many of the last elements of a range are the first elements of another. The
   * algorithm of Knuth, Morris and Pratt needs linear time, even if many elements are equal.
   */
  private static int overlap(
      ArrayNode last, int lastFrom, int lastSize, ArrayNode first, int firstFrom, int firstSize) {
    int[] shorter = new int[firstSize + 1];
    int matched = 0;
    for (int i = 1; i < firstSize; i++) {
      matched = matched(first, firstFrom, firstSize, shorter, matched, first.get(firstFrom + i));
      shorter[i + 1] = matched;
    }
    matched = 0;
    for (int i = 0; i < lastSize && firstSize > 0; i++) {
      matched = matched(first, firstFrom, firstSize, shorter, matched, last.get(lastFrom + i));
    }
    return matched;
  }

  private static int matched(
      ArrayNode first, int from, int size, int[] shorter, int matched, JsonNode next) {
    int length = matched;
    while (length > 0 && (length == size || !first.get(from + length).equals(next))) {
      length = shorter[length];
    }
    return first.get(from + length).equals(next) ? length + 1 : 0;
  }

  /** Replaces a range of elements. The elements after it are already changed. */
  private void replace(
      DocumentPath path,
      ArrayNode before,
      int from,
      int removed,
      ArrayNode after,
      int source,
      int added) {
    int pairs = Math.min(removed, added);
    if (added > pairs && from + removed == before.size()) {
      target.append(
          path, before.size(), List.copyOf(after.values()).subList(source + pairs, source + added));
    } else {
      for (int i = added - 1; i >= pairs; i--) {
        target.insert(path, from + pairs, after.get(source + i));
      }
    }
    if (removed > 0 && from + pairs == 0) {
      target.removeFirst(path, removed, after.size());
    } else {
      for (int i = removed - 1; i >= pairs; i--) {
        target.remove(path.index(from + i));
      }
    }
    for (int i = 0; i < pairs; i++) {
      compare(path.index(from + i), before.get(from + i), after.get(source + i));
    }
  }
}
