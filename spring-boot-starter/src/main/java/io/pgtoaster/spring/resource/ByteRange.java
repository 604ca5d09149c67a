package io.pgtoaster.spring.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A part of some content.
 *
 * @param from offset of the first byte
 * @param to offset after the last byte
 */
record ByteRange(long from, long to) {
  private static final String UNIT = "bytes=";
  private static final Pattern SPEC = Pattern.compile("(\\d+)-(\\d*)|-(\\d+)");
  private static final int MAX_PARTS = 100;
  private static final int DIGITS = 18;

  long length() {
    return to - from;
  }

  String header(long contentLength) {
    return "bytes " + from + "-" + (to - 1) + "/" + contentLength;
  }

  /**
   * Parses the header {@code Range} (RFC 9110, 14.2).
   *
   * @return the requested parts, empty if the range cannot be satisfied; null if the header must be
   *     ignored, or if several parts are at least as large as the whole
   */
  static @Nullable List<ByteRange> parse(String header, long contentLength) {
    if (contentLength == 0 || !header.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
      return null;
    }
    List<ByteRange> parts = new ArrayList<>();
    int count = 0;
    long sum = 0;
    for (String spec : header.substring(UNIT.length()).split(",", -1)) {
      if (spec.isBlank()) {
        continue;
      }
      Matcher matcher = SPEC.matcher(spec.strip());
      if (!matcher.matches() || ++count > MAX_PARTS) {
        return List.of();
      }
      ByteRange part = part(matcher, contentLength);
      if (part.from < 0) {
        return List.of();
      }
      if (part.length() > 0) {
        parts.add(part);
        sum += part.length();
      }
    }
    return parts.size() > 1 && sum >= contentLength ? null : parts;
  }

  /** Returns the part for one range, empty if nothing matches; negative if the range is invalid. */
  private static ByteRange part(Matcher matcher, long contentLength) {
    String suffix = matcher.group(3);
    if (suffix != null) {
      return new ByteRange(Math.max(0, contentLength - number(suffix)), contentLength);
    }
    long first = number(matcher.group(1));
    long last = matcher.group(2).isEmpty() ? Long.MAX_VALUE - 1 : number(matcher.group(2));
    if (last < first) {
      return new ByteRange(-1, -1);
    }
    return new ByteRange(Math.min(first, contentLength), Math.min(last + 1, contentLength));
  }

  private static long number(String digits) {
    return digits.length() > DIGITS ? Long.MAX_VALUE - 1 : Long.parseLong(digits);
  }
}
