package io.pgtoaster.internal.json;

import io.pgtoaster.error.InvalidPathException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Parses steps into an array as PostgreSQL does: 32 bits; white space and a sign may precede the
 * digits; nothing may follow them.
 */
public final class Positions {
  private static final int RADIX = 10;
  private static final int SHOWN_CHARS = 100;
  private static final int MAX_DIGITS = 18;

  private Positions() {}

  /**
   * Parses a step.
   *
   * @return the position; if negative, it counts from the end; empty if the step is not a position
   */
  public static OptionalInt read(String step) {
    int at = 0;
    while (at < step.length() && isSpace(step.charAt(at))) {
      at++;
    }
    boolean negative = at < step.length() && step.charAt(at) == '-';
    if (negative || (at < step.length() && step.charAt(at) == '+')) {
      at++;
    }
    if (at == step.length()) {
      return OptionalInt.empty();
    }
    long position = 0;
    for (; at < step.length(); at++) {
      int digit = step.charAt(at) - '0';
      if (digit < 0 || digit >= RADIX) {
        return OptionalInt.empty();
      }
      position = position * RADIX + digit;
      if (position > Integer.MAX_VALUE + 1L) {
        return OptionalInt.empty();
      }
    }
    long signed = negative ? -position : position;
    return signed > Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of((int) signed);
  }

  /**
   * Returns whether a path can contain a step in brackets without quotes: a number of up to 18
   * digits, without leading zeros, white space or a plus sign.
   */
  public static boolean isPlain(String step) {
    int from = step.startsWith("-") ? 1 : 0;
    int digits = step.length() - from;
    if (digits == 0 || digits > MAX_DIGITS || (step.charAt(from) == '0' && step.length() > 1)) {
      return false;
    }
    return step.chars().skip(from).allMatch(c -> c >= '0' && c <= '9');
  }

  /**
   * Parses a step of a change, which must be a position.
   *
   * @throws InvalidPathException if the step is not a position
   */
  public static int require(List<String> steps, int at) {
    OptionalInt position = read(steps.get(at));
    if (position.isEmpty()) {
      throw new InvalidPathException(
          "step %s of the path leads into an array, but is not an integer: \"%s\""
              .formatted((at + 1), shown(steps.get(at))));
    }
    return position.getAsInt();
  }

  private static String shown(String step) {
    return step.length() <= SHOWN_CHARS ? step : step.substring(0, SHOWN_CHARS) + "...";
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
}
