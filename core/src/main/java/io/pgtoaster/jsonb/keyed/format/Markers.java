package io.pgtoaster.jsonb.keyed.format;

import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.RowPart;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads and writes markers, which replace members that are stored out of line, and escapes users'
 * keys that look like a marker's. The format is in {@code docs/internals.md}.
 */
public final class Markers {
  /** The key of the header of a stub and of a marker. */
  public static final String KEY = RowPart.KEY;

  private static final String BARE = KEY.substring(1);
  private static final byte[] MARK = ("{\"" + KEY + "\": ").getBytes(StandardCharsets.US_ASCII);

  /**
   * The minimum number of digits of a node number, except in the first quarter of an hour after the
   * epoch.
   */
  private static final int MIN_DIGITS = 13;

  private Markers() {}

  /** Returns true if a split document stores a key with one more dollar sign. */
  public static boolean looksLikeOne(String key) {
    if (!key.endsWith(BARE)) {
      return false;
    }
    int dollars = key.length() - BARE.length();
    for (int i = 0; i < dollars; i++) {
      if (key.charAt(i) != '$') {
        return false;
      }
    }
    return dollars > 0;
  }

  public static String escape(String key) {
    return looksLikeOne(key) ? "$" + key : key;
  }

  public static String unescape(String key) {
    return looksLikeOne(key) ? key.substring(1) : key;
  }

  /** Returns a value as split documents store it: the same instance if it has no such keys. */
  public static JsonNode escape(JsonNode value) {
    return hasSuchKey(value)
        ? JsonCopies.copy(value, Markers::escape, UnaryOperator.identity())
        : value;
  }

  /** Returns true if a key anywhere in a value looks like a marker's. */
  public static boolean hasSuchKey(JsonNode value) {
    Deque<JsonNode> todo = new ArrayDeque<>();
    for (JsonNode next = value; next != null; next = todo.poll()) {
      for (String key : next.propertyNames()) {
        if (looksLikeOne(key)) {
          return true;
        }
      }
      for (JsonNode child : next) {
        if (child.isContainer()) {
          todo.push(child);
        }
      }
    }
    return false;
  }

  /**
   * Returns true if the JSON text of a plain document contains markers, which have long numbers.
   */
  public static boolean isMarked(byte[] text) {
    for (int at = 0; at < text.length - MARK.length; at++) {
      if (text[at] == '{'
          && text[at + 2] == '$'
          && Arrays.equals(text, at, at + MARK.length, MARK, 0, MARK.length)) {
        int first = at + MARK.length;
        int end = first;
        while (end < text.length && text[end] >= '0' && text[end] <= '9') {
          end++;
        }
        if (end - first >= MIN_DIGITS && end < text.length && text[end] == '}') {
          return true;
        }
      }
    }
    return false;
  }

  static String text(long branch) {
    return "{\"" + KEY + "\": " + branch + "}";
  }

  /** Returns the branch that a value of a split document names, or null. */
  public static @Nullable Long branch(JsonNode value) {
    JsonNode named = value.isObject() && value.size() == 1 ? value.get(KEY) : null;
    return number(named);
  }

  /** Returns a number in a marker or header; null if the value is not such a number. */
  public static @Nullable Long number(@Nullable JsonNode value) {
    return value != null && value.isIntegralNumber() && value.canConvertToLong()
        ? (Long) value.longValue()
        : null;
  }

  /**
   * Calls a consumer for each branch that a value of a split document names, in the order of the
   * tree.
   */
  public static void forEach(JsonNode value, LongConsumer branches) {
    Deque<Iterator<JsonNode>> open = new ArrayDeque<>();
    open.push(List.of(value).iterator());
    while (!open.isEmpty()) {
      if (!open.element().hasNext()) {
        open.pop();
        continue;
      }
      JsonNode next = open.element().next();
      Long branch = branch(next);
      if (branch != null) {
        branches.accept(branch);
      } else if (next.isContainer()) {
        open.push(next.iterator());
      }
    }
  }
}
