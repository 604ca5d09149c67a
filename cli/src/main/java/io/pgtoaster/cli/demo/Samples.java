package io.pgtoaster.cli.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measured figures by contender and by what was measured; the median speaks for them. */
final class Samples {
  private final Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();

  void add(String contender, String what, double value) {
    values
        .computeIfAbsent(contender, c -> new LinkedHashMap<>())
        .computeIfAbsent(what, w -> new ArrayList<>())
        .add(value);
  }

  /** Returns the medians by contender and by what was measured, in the order of their arrival. */
  Map<String, Map<String, Double>> medians() {
    Map<String, Map<String, Double>> medians = new LinkedHashMap<>();
    values.forEach(
        (contender, byWhat) -> {
          Map<String, Double> row = new LinkedHashMap<>();
          byWhat.forEach((what, list) -> row.put(what, median(list)));
          medians.put(contender, row);
        });
    return medians;
  }

  /** Returns the medians of one thing that was measured, by contender. */
  Map<String, Double> medians(String what) {
    Map<String, Double> medians = new LinkedHashMap<>();
    medians()
        .forEach(
            (contender, row) -> {
              if (row.containsKey(what)) {
                medians.put(contender, row.get(what));
              }
            });
    return medians;
  }

  static double median(List<Double> list) {
    List<Double> sorted = new ArrayList<>(list);
    Collections.sort(sorted);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
