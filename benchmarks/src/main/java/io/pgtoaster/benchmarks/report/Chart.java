package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One picture of an answer.
 *
 * @param title what it shows
 * @param benchmark class and method
 * @param metric upwards, or to the right
 * @param x parameter whose values are told apart along the other axis
 * @param axis what readers call that
 * @param bars whether the values of x are names; else they are sizes or numbers
 * @param where values that other parameters have
 * @param series parameters of which each combination is a line or a bar
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

  /** A line for each contender. */
  public static Chart lines(String title, String benchmark, Metric metric, String x) {
    return new Chart(
        title,
        benchmark,
        metric,
        x,
        x,
        false,
        Map.of(),
        List.of("contender"),
        List.of(),
        List.of());
  }

  /** A group of bars for each value of x. */
  public static Chart bars(String title, String benchmark, Metric metric, String x) {
    return new Chart(
        title, benchmark, metric, x, x, true, Map.of(), List.of("contender"), List.of(), List.of());
  }

  /** The same with a name of its x that says more than the parameter's. */
  public Chart axis(String name) {
    return new Chart(title, benchmark, metric, x, name, bars, where, series, references, shown);
  }

  /** The same for one value of another parameter. */
  public Chart where(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(where);
    more.put(name, value);
    return new Chart(title, benchmark, metric, x, axis, bars, more, series, references, shown);
  }

  /** The same with a line or bar for each combination of these parameters. */
  public Chart series(String... names) {
    return new Chart(
        title, benchmark, metric, x, axis, bars, where, List.of(names), references, shown);
  }

  /** The same with a figure of the sources. */
  public Chart reference(String at, double value, String label) {
    List<Reference> more = new ArrayList<>(references);
    more.add(new Reference(at, value, label));
    return new Chart(title, benchmark, metric, x, axis, bars, where, series, more, shown);
  }

  /** The same on the page of the documentation, too, at these values of x. */
  public Chart shown(String... xs) {
    return new Chart(
        title, benchmark, metric, x, axis, bars, where, series, references, List.of(xs));
  }
}
