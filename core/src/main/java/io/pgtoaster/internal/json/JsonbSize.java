package io.pgtoaster.internal.json;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.databind.JsonNode;

/**
 * Estimates the size of values as uncompressed {@code jsonb}, in bytes. The size is not exact,
 * because alignment gaps depend on the order. The size of a container is {@link #CONTAINER} plus
 * the {@linkplain #element} or {@linkplain #member} sizes of its content, so it can be counted
 * while the container grows.
 */
public final class JsonbSize {
  /** Size of the header of a container. */
  public static final int CONTAINER = 4;

  /** Size of the header of a varlena, which every {@code jsonb} has in addition to its root. */
  public static final int DATUM = 4;

  /** Size of the entry that {@code jsonb} keeps for each element, key and value. */
  private static final int ENTRY = 4;

  private static final int ALIGNMENT = 4;
  private static final int NUMERIC = 6;

  /** Size of the header of a number that is too large for the shorter header. */
  private static final int LONG_NUMERIC = 8;

  private static final int DIGIT_GROUP = 10_000;
  private static final int DIGITS = 4;
  private static final int SHORT_GROUPS = 64;

  private JsonbSize() {}

  /** Returns the size of a value as a separate {@code jsonb}. */
  public static long size(JsonNode value) {
    return value.isContainer() ? DATUM + content(value) : DATUM + CONTAINER + element(value);
  }

  /** Returns the number of bytes that a value adds to an array. */
  public static long element(JsonNode value) {
    return ENTRY + content(value);
  }

  /** Returns the number of bytes that a member adds to an object. */
  public static long member(String key, JsonNode value) {
    return key(key) + element(value);
  }

  /** Returns the number of bytes that a key alone adds to an object. */
  public static long key(String key) {
    return (long) ENTRY + KeyOrder.utf8Length(key);
  }

  /** Returns the size of a number in a container, without its entry. */
  public static long number(long number) {
    return aligned(NUMERIC + 2 * groups(number));
  }

  private static long content(JsonNode value) {
    if (value.isNumber()) {
      return aligned(number(value));
    }
    return value.isContainer() ? containers(value) : string(value);
  }

  private static long containers(JsonNode root) {
    long size = 0;
    Deque<JsonNode> todo = new ArrayDeque<>();
    todo.add(root);
    while (!todo.isEmpty()) {
      size += aligned(container(todo.removeLast(), todo));
    }
    return size;
  }

  /** Returns the size of a container without nested containers, which are added to {@code todo}. */
  private static long container(JsonNode container, Deque<JsonNode> todo) {
    long size = CONTAINER + (long) ENTRY * container.size();
    if (container.isObject()) {
      for (String key : container.propertyNames()) {
        size += key(key);
      }
    }
    for (JsonNode child : container) {
      if (child.isContainer()) {
        size = aligned(size);
        todo.addLast(child);
      } else {
        size = child.isNumber() ? aligned(size) + number(child) : size + string(child);
      }
    }
    return size;
  }

  private static long string(JsonNode value) {
    return value.isString() || value.isBinary() ? KeyOrder.utf8Length(value.asString()) : 0;
  }

  private static long number(JsonNode number) {
    return Numbers.isSmall(number)
        ? NUMERIC + 2 * groups(number.longValue())
        : number(Numbers.decimal(number));
  }

  /**
   * Returns the exact size: PostgreSQL stores groups of four digits, without leading and trailing
   * zeros.
   */
  private static long number(BigDecimal number) {
    String digits = number.unscaledValue().abs().toString();
    int zeros = 0;
    while (zeros < digits.length() - 1 && digits.charAt(digits.length() - 1 - zeros) == '0') {
      zeros++;
    }
    boolean zero = number.signum() == 0;
    long first = zero ? 0 : Math.floorDiv(digits.length() - 1L - number.scale(), DIGITS);
    long last = Math.floorDiv((long) zeros - number.scale(), DIGITS);
    boolean isShort =
        first < SHORT_GROUPS && first >= -SHORT_GROUPS && number.scale() < SHORT_GROUPS;
    return (isShort ? NUMERIC : LONG_NUMERIC) + 2 * (zero ? 0 : first - last + 1);
  }

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private static int groups(long number) {
    long rest = number;
    while (rest != 0 && rest % DIGIT_GROUP == 0) {
      rest /= DIGIT_GROUP;
    }
    int groups = 0;
    for (; rest != 0; rest /= DIGIT_GROUP) {
      groups++;
    }
    return groups;
  }
}
