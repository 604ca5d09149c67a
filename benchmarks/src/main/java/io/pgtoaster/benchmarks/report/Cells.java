package io.pgtoaster.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Cells of a question: each benchmark with each contender and each combination of parameters.
 *
 * @param sets in which they are: quick, standard, async (standard, where commits do not wait for
 *     the disk)
 * @param benchmarks such as Appends.append
 * @param contenders those of the question, unless it names others
 * @param params values of each; of connections also as {@code 2 cores}
 */
public record Cells(
    List<String> sets,
    List<String> benchmarks,
    List<String> contenders,
    Map<String, List<String>> params) {
  /** What is not given is empty. */
  public Cells {
    contenders = Objects.requireNonNullElse(contenders, List.of());
    params = Objects.requireNonNullElse(params, Map.of());
  }

  Cells orContenders(List<String> others) {
    return contenders.isEmpty() ? new Cells(sets, benchmarks, others, params) : this;
  }
}
