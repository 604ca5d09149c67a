package io.pgtoaster.benchmarks.report.chart;

import io.pgtoaster.benchmarks.report.figure.Metric;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One picture of an answer.
 *
 * @param title what it shows
 * @param benchmark class and method
 * @param metric upwards, or to the right
 * @param x parameter whose values are told apart along the other axis
 * @param axis what readers call that; the parameter's name, if not given
 * @param bars whether the values of x are names; else they are sizes or numbers
 * @param where values that other parameters have
 * @param series parameters of which each combination is a line or a bar; the contender, if not
 *     given
 * @param references figures of the sources
 * @param shown the values of x that are on the page of the documentation, too; none if it is only
 *     in the report
 */
public record Chart(
    String title,
    String benchmark,
    Metric metric,
    String x,
    String axis,
    boolean bars,
    Map<String, String> where,
    List<String> series,
    List<Reference> references,
    List<String> shown) {
  /**
   * A figure that somebody else has published.
   *
   * @param x value of the parameter
   * @param value in the metric's unit
   * @param label of it
   */
  public record Reference(String x, double value, String label) {}

  /** What is not given is as the parameters say. */
  public Chart {
    axis = Objects.requireNonNullElse(axis, x);
    where = Objects.requireNonNullElse(where, Map.of());
    series = Objects.requireNonNullElse(series, List.of("contender"));
    references = Objects.requireNonNullElse(references, List.of());
    shown = Objects.requireNonNullElse(shown, List.of());
  }

  /** Times of each contender. */
  public static Chart times(
      String title, String benchmark, String x, String axis, Map<String, String> where) {
    return new Chart(
        title,
        benchmark,
        Metric.TIME,
        x,
        axis,
        false,
        where,
        List.of("contender"),
        List.of(),
        List.of());
  }
}
