package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Chart;
import io.pgtoaster.benchmarks.report.chart.Resources;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A question, as {@code question-N.md} and {@code question-N.json} tell of it.
 *
 * @param number of it
 * @param name in a word or two
 * @param title the question itself
 * @param operation what one operation is
 * @param why we lose where we lose
 * @param charts that answer
 * @param cells that are measured
 */
public record Question(
    int number,
    String name,
    String title,
    String operation,
    List<String> why,
    List<Chart> charts,
    List<Cells> cells) {
  private static final String WHY = "## Why\n";
  private static final int COUNT = 9;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY).build();

  private record Sheet(
      String title, List<Chart> charts, List<String> contenders, List<Cells> cells) {}

  /** All of them. */
  public static List<Question> all() {
    return IntStream.rangeClosed(1, COUNT)
        .mapToObj(i -> of(i, Resources.text("question-" + i + ".json")))
        .toList();
  }

  /**
   * The one of a number, with its name, a paragraph on the operation, and lines behind the heading
   * "Why" from {@code question-N.md}.
   *
   * @param number of it
   * @param json its title, charts and cells
   */
  static Question of(int number, String json) {
    Sheet sheet = JSON.readValue(json, Sheet.class);
    String text = Resources.text("question-" + number + ".md");
    int begin = text.indexOf('\n');
    int why = text.indexOf(WHY);
    return new Question(
        number,
        text.substring(2, begin),
        sheet.title(),
        text.substring(begin, why).strip().replace('\n', ' '),
        text.substring(why + WHY.length()).strip().replaceAll("\\n +", " ").lines().toList(),
        sheet.charts(),
        sheet.cells().stream().map(c -> c.orContenders(sheet.contenders())).toList());
  }

  /** Whether it asked for a cell. */
  boolean asks(String benchmark) {
    return charts.stream().anyMatch(c -> c.benchmark().equals(benchmark));
  }
}
