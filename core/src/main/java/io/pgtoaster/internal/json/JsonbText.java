package io.pgtoaster.internal.json;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import tools.jackson.databind.JsonNode;

/**
 * Writes values exactly as PostgreSQL prints them as {@code jsonb}. Does not recurse. The values
 * must be {@linkplain Json#check checked}.
 */
public final class JsonbText {
  private static final String HEX = "0123456789abcdef";
  private static final String[] NO_KEYS = {};

  private JsonbText() {}

  /** A container that is being written. */
  private static final class Frame {
    final JsonNode container;
    final String[] keys;
    final Iterator<JsonNode> elements;
    int written;

    Frame(JsonNode container) {
      this.container = container;
      this.keys = container.isObject() ? sortedKeys(container) : NO_KEYS;
      this.elements = container.iterator();
    }

    boolean hasNext() {
      return container.isObject() ? written < keys.length : elements.hasNext();
    }
  }

  /** Returns the text of a value. */
  public static String text(JsonNode value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(JsonNode value, StringBuilder out) {
    if (!value.isContainer()) {
      scalar(value, out);
      return;
    }
    Deque<Frame> open = new ArrayDeque<>();
    open(value, open, out);
    while (!open.isEmpty()) {
      Frame frame = open.getLast();
      boolean object = frame.container.isObject();
      if (!frame.hasNext()) {
        out.append(object ? '}' : ']');
        open.removeLast();
        continue;
      }
      if (frame.written > 0) {
        out.append(", ");
      }
      JsonNode child;
      if (object) {
        String key = frame.keys[frame.written];
        string(key, out);
        out.append(": ");
        child = frame.container.path(key);
      } else {
        child = frame.elements.next();
      }
      frame.written++;
      if (child.isContainer()) {
        open(child, open, out);
      } else {
        scalar(child, out);
      }
    }
  }

  private static void open(JsonNode container, Deque<Frame> open, StringBuilder out) {
    out.append(container.isObject() ? '{' : '[');
    open.addLast(new Frame(container));
  }

  /** Returns the keys of an object, in the order of {@code jsonb}. */
  public static String[] sortedKeys(JsonNode object) {
    String[] keys = object.propertyNames().toArray(NO_KEYS);
    Arrays.sort(keys, KeyOrder.JSONB);
    return keys;
  }

  private static void scalar(JsonNode value, StringBuilder out) {
    if (value.isString() || value.isBinary()) {
      string(value.asString(), out);
    } else if (value.isNumber()) {
      out.append(number(value));
    } else if (value.isBoolean()) {
      out.append(value.booleanValue() ? "true" : "false");
    } else if (value.isNull()) {
      out.append("null");
    } else {
      throw new IllegalArgumentException("not a JSON value: " + value.getNodeType());
    }
  }

  /** Returns the text of a number, without an exponent and with its scale. */
  public static String number(JsonNode number) {
    if (Numbers.isSmall(number)) {
      return Long.toString(number.longValue());
    }
    if (number.isBigInteger()) {
      return number.bigIntegerValue().toString();
    }
    return Numbers.decimal(number).toPlainString();
  }

  /** Writes a string, quoted and escaped. */
  public static void string(String text, StringBuilder out) {
    out.append('"');
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') {
        continue;
      }
      out.append(text, from, i);
      from = i + 1;
      escape(c, out);
    }
    out.append(text, from, text.length()).append('"');
  }

  /** Returns a string, quoted and escaped. */
  public static String string(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2);
    string(text, quoted);
    return quoted.toString();
  }

  private static void escape(char c, StringBuilder out) {
    out.append('\\');
    switch (c) {
      case '"', '\\' -> out.append(c);
      case '\b' -> out.append('b');
      case '\f' -> out.append('f');
      case '\n' -> out.append('n');
      case '\r' -> out.append('r');
      case '\t' -> out.append('t');
      default -> out.append("u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
    }
  }
}
