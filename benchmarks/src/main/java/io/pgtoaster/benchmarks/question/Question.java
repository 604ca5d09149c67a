package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.report.Chart;
import java.util.List;
import java.util.function.Consumer;

/**
 * One question.
 *
 * @param number of it
 * @param title the question itself
 * @param planner adds its cells
 * @param charts that answer it
 */
public record Question(int number, String title, Consumer<Plan> planner, List<Chart> charts) {
  /** All of them. */
  public static List<Question> all() {
    return List.of(
        Appends.QUESTION,
        Growth.QUESTION,
        Streams.QUESTION,
        Appenders.QUESTION,
        KeyAccess.QUESTION,
        Updates.QUESTION,
        Compression.QUESTION,
        Entities.QUESTION,
        Ycsb.QUESTION);
  }
}
