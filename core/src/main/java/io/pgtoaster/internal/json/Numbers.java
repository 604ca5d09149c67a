package io.pgtoaster.internal.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NumericNode;

/** Checks numbers against the range of PostgreSQL's {@code numeric}, which {@code jsonb} uses. */
final class Numbers {
  /** Maximum number of digits before the decimal point. */
  static final int MAX_INTEGER_DIGITS = 131_072;

  /** Maximum number of digits after the decimal point. */
  static final int MAX_SCALE = 16_383;

  /** The smallest exponent with which {@code numeric} rejects every number, even 0. */
  private static final int EXPONENT_LIMIT = Integer.MAX_VALUE / 2;

  /** Slightly more than log10(2), the exact value. */
  private static final double DIGITS_PER_BIT = 0.3011;

  static final String OUTSIDE =
      "a number has more digits than PostgreSQL stores (%s before the decimal point, %s after it)"
          .formatted(MAX_INTEGER_DIGITS, MAX_SCALE);

  private Numbers() {}

  static boolean isSmall(JsonNode number) {
    return number.isInt() || number.isLong() || number.isShort();
  }

  /** Returns the value of a finite number. */
  static BigDecimal decimal(JsonNode number) {
    if (number.isDouble()) {
      return BigDecimal.valueOf(number.doubleValue());
    }
    if (number.isFloat()) {
      return new BigDecimal(Float.toString(number.floatValue()));
    }
    return number.decimalValue();
  }

  /**
   * Returns the reason why a number cannot be stored; null if it can. Does not expand the number.
   */
  static @Nullable String refusal(JsonNode number) {
    if (isSmall(number)) {
      return null;
    }
    if (number.isBigInteger()) {
      return refusal(number.bigIntegerValue(), 0);
    }
    if (number instanceof NumericNode numeric && numeric.isNaN()) {
      return "a number is not finite";
    }
    return refusal(decimal(number));
  }

  static @Nullable String refusal(BigDecimal number) {
    return refusal(number.unscaledValue(), number.scale());
  }

  private static @Nullable String refusal(BigInteger unscaled, int scale) {
    if (scale > MAX_SCALE || scale <= -EXPONENT_LIMIT) {
      return OUTSIDE;
    }
    if (unscaled.signum() == 0) {
      return null;
    }
    long atMost = (long) (unscaled.bitLength() * DIGITS_PER_BIT) + 1 - scale;
    boolean outside =
        atMost > MAX_INTEGER_DIGITS
            && (long) new BigDecimal(unscaled).precision() - scale > MAX_INTEGER_DIGITS;
    return outside ? OUTSIDE : null;
  }
}
