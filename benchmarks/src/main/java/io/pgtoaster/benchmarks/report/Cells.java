package io.pgtoaster.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Cells of a question: each benchmark with each contender and each combination of parameters.
 *
 * @param sets sets that contain them: quick, standard, async (standard without durable commits)
 * @param benchmarks names such as Appends.append
 * @param contenders contenders; empty for those of the question
 * @param params values of each parameter; connections may also be {@code 2 cores}
 */
public record Cells(
    List<String> sets,
    List<String> benchmarks,
    List<String> contenders,
    Map<String, List<String>> params) {
  /** Missing values are empty. */
  public Cells {
    contenders = Objects.requireNonNullElse(contenders, List.of());
    params = Objects.requireNonNullElse(params, Map.of());
  }

  Cells orContenders(List<String> others) {
    return contenders.isEmpty() ? new Cells(sets, benchmarks, others, params) : this;
  }
}
