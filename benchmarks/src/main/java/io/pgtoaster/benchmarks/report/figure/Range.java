package io.pgtoaster.benchmarks.report.figure;

/**
 * How far a figure moved while it was taken again.
 *
 * @param low the least
 * @param high the most
 * @param count how often it was taken
 */
public record Range(double low, double high, int count) {
  /** What is nearer to each other is written as one figure. */
  private static final double SAME = 1.02;

  /** The range as text, such as 172–383 µs; empty if it hardly moved, or was taken once. */
  public String text(Metric.Unit unit) {
    if (count < 2 || high <= low * SAME) {
      return "";
    }
    String from = NumberText.of(low, unit);
    String to = NumberText.of(high, unit);
    int blank = from.lastIndexOf(' ');
    boolean same = blank > 0 && to.endsWith(from.substring(blank));
    return (same ? from.substring(0, blank) : from) + "–" + to;
  }

  /** The same in square brackets, behind a figure. */
  public String behind(Metric.Unit unit) {
    String text = text(unit);
    return text.isEmpty() ? "" : " [" + text + "]";
  }

  /** Whether all of this is below all of another. */
  public boolean below(Range other) {
    return high < other.low;
  }
}
