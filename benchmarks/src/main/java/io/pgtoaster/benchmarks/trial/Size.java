package io.pgtoaster.benchmarks.trial;

import java.util.List;

/** Parses sizes such as 100MB. */
final class Size {
  private static final List<String> UNITS = List.of("GB", "MB", "KB", "B");

  private Size() {}

  static long parse(String text) {
    for (int i = 0; i < UNITS.size(); i++) {
      String unit = UNITS.get(i);
      if (text.endsWith(unit)) {
        long count = Long.parseLong(text.substring(0, text.length() - unit.length()));
        return count << (10 * (UNITS.size() - 1 - i));
      }
    }
    throw new IllegalArgumentException("not a size: " + text);
  }
}
