package io.pgtoaster.internal.json;

import org.jspecify.annotations.Nullable;

/** The strings and keys that {@code jsonb} can hold. */
final class Strings {
  private static final int MAX_BYTES_PER_CHAR = 3;

  private static final String HALF_PAIR = " has half of a surrogate pair";

  private Strings() {}

  /** Tells why a string cannot be kept; null if it can. */
  static @Nullable String refusal(String text, String what) {
    int length = text.length();
    boolean highBefore = false;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return what + " has the character \\u0000";
      }
      if (highBefore != Character.isLowSurrogate(c)) {
        return what + HALF_PAIR;
      }
      highBefore = Character.isHighSurrogate(c);
    }
    if (highBefore) {
      return what + HALF_PAIR;
    }
    boolean tooLong =
        length > Json.MAX_STRING_BYTES / MAX_BYTES_PER_CHAR
            && KeyOrder.utf8Length(text) > Json.MAX_STRING_BYTES;
    return tooLong ? what + " has more than " + Json.MAX_STRING_BYTES + " bytes" : null;
  }
}
