package io.pgtoaster.benchmarks.report.figure;

/**
 * The smallest and the largest of several figures.
 *
 * @param low the least
 * @param high the most
 * @param count how often it was taken
 */
public record Range(double low, double high, int count) {
  /** Whether all of this is below all of another. */
  public boolean below(Range other) {
    return high < other.low;
  }
}
