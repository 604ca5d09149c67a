package io.pgtoaster.cli.demo;

import io.pgtoaster.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measurements of several alternatives in insertion order, shown as medians side by side. */
final class Figures {
  private final String unit;
  private final int digits;
  private final Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();

  Figures(String unit, int digits) {
    this.unit = unit;
    this.digits = digits;
  }

  void add(String way, String what, double value) {
    values
        .computeIfAbsent(way, w -> new LinkedHashMap<>())
        .computeIfAbsent(what, w -> new ArrayList<>())
        .add(value);
  }

  /**
   * Returns a table with a row per alternative; each value has its ratio to the first alternative.
   */
  TextTable table() {
    Map<String, List<Double>> first =
        values.values().stream().findFirst().orElseGet(LinkedHashMap::new);
    TextTable table = new TextTable("l" + "rr".repeat(first.size()));
    List<Object> heading = new ArrayList<>(List.of(unit));
    first.keySet().forEach(what -> heading.addAll(List.of(what, "ratio")));
    table.row(heading.toArray());
    values.forEach(
        (way, figures) -> {
          List<Object> row = new ArrayList<>(List.of(way));
          first.forEach(
              (what, own) -> {
                double value = median(figures.getOrDefault(what, List.of()));
                row.add(text(value));
                row.add(ratio(value / median(own)));
              });
          table.row(row.toArray());
        });
    return table;
  }

  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private String text(double value) {
    return Double.isNaN(value)
        ? "-"
        : String.format(Locale.ROOT, "%,." + (value >= 100 ? 0 : digits) + "f", value);
  }

  private static String ratio(double ratio) {
    return Double.isFinite(ratio)
        ? String.format(Locale.ROOT, ratio >= 100 ? "%,.0fx" : "%.2fx", ratio)
        : "";
  }
}
