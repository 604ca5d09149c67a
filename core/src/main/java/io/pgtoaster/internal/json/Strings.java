package io.pgtoaster.internal.json;

import org.jspecify.annotations.Nullable;

/** Checks which strings and keys {@code jsonb} can store. */
public final class Strings {
  private static final int MAX_BYTES_PER_CHAR = 3;

  private Strings() {}

  /** Returns whether a string consists only of ASCII characters that need no escape in JSON. */
  public static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isPlain(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether part of an array consists only of such characters. */
  public static boolean isPlain(char[] text, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (!isPlain(text[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c != '"' && c != '\\' && c < 0x7F;
  }

  /** Returns the reason why a string cannot be stored; null if it can. */
  static @Nullable String refusal(String text, String what) {
    if (text.indexOf('\0') >= 0) {
      return what + " contains the character \\u0000";
    }
    if (hasHalfPair(text)) {
      return what + " contains an unpaired surrogate";
    }
    int length = text.length();
    boolean tooLong =
        length > Json.MAX_STRING_BYTES / MAX_BYTES_PER_CHAR
            && KeyOrder.utf8Length(text) > Json.MAX_STRING_BYTES;
    return tooLong ? what + " has more than " + Json.MAX_STRING_BYTES + " bytes" : null;
  }

  /**
   * Returns whether text contains an unpaired surrogate. Drivers and encoders would replace it with
   * another character.
   */
  public static boolean hasHalfPair(String text) {
    boolean highBefore = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (highBefore != Character.isLowSurrogate(c)) {
        return true;
      }
      highBefore = Character.isHighSurrogate(c);
    }
    return highBefore;
  }
}
