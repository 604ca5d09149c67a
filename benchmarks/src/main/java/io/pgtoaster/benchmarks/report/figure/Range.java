package io.pgtoaster.benchmarks.report.figure;

/**
 * The smallest and the largest of several figures.
 *
 * @param low smallest figure
 * @param high largest figure
 * @param count number of figures
 */
public record Range(double low, double high, int count) {
  /** Returns whether this range is entirely below another. */
  public boolean below(Range other) {
    return high < other.low;
  }
}
