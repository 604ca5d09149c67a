package io.pgtoaster.benchmarks.question;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fast wrong answer is none. */
final class Checks {
  private Checks() {}

  static void equal(String what, Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      throw new IllegalStateException(
          what + " should be " + shortened(expected) + ", and is " + shortened(found));
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= 100 ? text : text.substring(0, 100) + "... of " + text.length();
  }
}
