package io.pgtoaster.benchmarks.report;

import java.util.List;

/**
 * One question in a report.
 *
 * @param number of it
 * @param name in a word or two
 * @param title the question itself
 * @param operation what one operation is
 * @param why we lose where we lose
 * @param charts that answer
 */
public record Section(
    int number, String name, String title, String operation, List<String> why, List<Chart> charts) {
  private static final String WHY = "## Why\n";

  /**
   * Adds what is written of a question beside its class: its name, a paragraph on the operation,
   * and lines behind the heading "Why".
   */
  public static Section of(int number, String title, List<Chart> charts) {
    String text = Resources.text("question-" + number + ".md");
    int begin = text.indexOf('\n');
    int why = text.indexOf(WHY);
    return new Section(
        number,
        text.substring(2, begin),
        title,
        text.substring(begin, why).strip().replace('\n', ' '),
        text.substring(why + WHY.length()).strip().replaceAll("\\n +", " ").lines().toList(),
        charts);
  }

  /** Whether it asked for a cell. */
  boolean asks(String benchmark) {
    return charts.stream().anyMatch(c -> c.benchmark().equals(benchmark));
  }
}
