package io.pgtoaster.benchmarks.guard;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The costs of a call.
 *
 * @param executor executor of the call
 * @param operation name of the operation
 * @param values one value for each {@link Count}
 */
record Line(String executor, String operation, Map<Count, Double> values) {
  /** Returns the name by which a line is found. */
  static String name(String executor, String operation) {
    return executor + " | " + operation;
  }

  String name() {
    return name(executor, operation);
  }

  double value(Count count) {
    return Objects.requireNonNull(values.get(count));
  }

  /** Returns this line with the smaller value of a count. */
  Line orLess(Count count, Line other) {
    Map<Count, Double> lesser = new EnumMap<>(values);
    lesser.merge(count, other.value(count), Math::min);
    return new Line(executor, operation, lesser);
  }

  static String header() {
    return text("executor", "operation", Count::title);
  }

  /** Returns the line of the file. Columns have a fixed width. */
  String text() {
    return text(executor, operation, count -> count.text(this));
  }

  private static String text(String executor, String operation, Function<Count, String> figure) {
    return Arrays.stream(Count.values())
        .map(count -> String.format(Locale.ROOT, " | %11s", figure.apply(count)))
        .collect(
            Collectors.joining(
                "", String.format(Locale.ROOT, "%-12s | %-36s", executor, operation), ""));
  }

  /** Parses a line of the file. */
  static Line parse(String text) {
    String[] parts = text.strip().split(" *\\| *", -1);
    if (parts.length != 2 + Count.values().length) {
      throw new IllegalArgumentException("not a line of saved counts: " + text);
    }
    Map<Count, Double> values = new EnumMap<>(Count.class);
    int next = 2;
    for (Count count : Count.values()) {
      values.put(count, Double.valueOf(parts[next++]));
    }
    return new Line(parts[0], parts[1], values);
  }
}
