package io.pgtoaster.chatmemory;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NumericNode;

/**
 * The hashes of some messages. A message has the same hash before and after PostgreSQL stores it.
 */
final class Digests {
  static final Digests NONE = new Digests(new long[0]);

  private final long[] values;

  Digests(long[] values) {
    this.values = values;
  }

  static Digests of(List<JsonNode> messages) {
    MessageDigest sha = sha();
    return new Digests(messages.stream().mapToLong(message -> of(message, sha)).toArray());
  }

  int size() {
    return values.length;
  }

  long get(int position) {
    return values[position];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Digests digests && Arrays.equals(values, digests.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  private static long of(JsonNode message, MessageDigest sha) {
    StringBuilder text = new StringBuilder();
    print(message, text);
    // The text is not encoded, because an encoder would replace unpaired surrogates, which a check
    // rejects later.
    ByteBuffer bytes = ByteBuffer.allocate(2 * text.length());
    bytes.asCharBuffer().put(CharBuffer.wrap(text));
    return ByteBuffer.wrap(sha.digest(bytes.array())).getLong();
  }

  /** Prints members in a fixed order and numbers in a fixed form, because jsonb changes both. */
  private static void print(JsonNode value, StringBuilder text) {
    if (value.isObject()) {
      Map<String, JsonNode> members = new TreeMap<>();
      value.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
      text.append('{');
      members.forEach(
          (key, member) -> {
            print(key, text);
            print(member, text);
          });
      text.append('}');
    } else if (value.isArray()) {
      text.append('[');
      value.forEach(element -> print(element, text));
      text.append(']');
    } else if (value instanceof NumericNode number && !number.isNaN()) {
      text.append('n').append(number.decimalValue().stripTrailingZeros()).append(' ');
    } else if (value.isString()) {
      print(value.stringValue(), text);
    } else {
      text.append(value).append(' ');
    }
  }

  /** Also prints the length, which separates strings, whatever they contain. */
  private static void print(String string, StringBuilder text) {
    text.append('"').append(string.length()).append(':').append(string);
  }

  private static MessageDigest sha() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
