package io.pgtoaster.cli.terminal;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses and formats numbers of bytes for people. */
public final class ByteSize {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,19})([kKMGT]?)(i?B)?");
  private static final String UNITS = " kMGT";

  private ByteSize() {}

  /**
   * Parses a number of bytes. As in {@code head} and {@code dd}, K, M, G and T are powers of 1,024,
   * and kB, MB, GB and TB are powers of 1,000.
   *
   * @param text such as {@code 8100}, {@code 4M} or {@code 1GB}
   * @return the number
   * @throws IllegalArgumentException if it is not a number of bytes, or is too large
   */
  public static long parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a number of bytes such as 8100, 64K, 4M or 1GB");
    }
    try {
      String unit = matcher.group(2);
      int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit.equals("K") ? "k" : unit);
      @Nullable String suffix = matcher.group(3);
      long factor = "B".equals(suffix) ? 1000 : 1024;
      long value = Long.parseLong(matcher.group(1));
      for (int i = 0; i < power; i++) {
        value = Math.multiplyExact(value, factor);
      }
      return value;
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" is more than 8 EB", e);
    }
  }

  /**
   * Formats a number of bytes.
   *
   * @param bytes the number
   * @return such as {@code 999 bytes} or {@code 128.7 MB}, by powers of 1,000
   */
  public static String format(long bytes) {
    if (bytes < 1000) {
      return bytes + (bytes == 1 ? " byte" : " bytes");
    }
    double value = bytes;
    int unit = 0;
    while (value >= 999.95 && unit < UNITS.length() - 1) {
      value /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %sB", value, UNITS.charAt(unit));
  }

  /**
   * Formats a rate.
   *
   * @param bytes number of bytes
   * @param nanos duration in nanoseconds
   * @return such as {@code 151.2 MB/s}
   */
  public static String rate(long bytes, long nanos) {
    double perSecond = bytes / (Math.max(1, nanos) / 1e9);
    return format(Math.round(perSecond)) + "/s";
  }
}
