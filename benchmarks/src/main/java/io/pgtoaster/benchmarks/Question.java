package io.pgtoaster.benchmarks;

/** One question, with the bars that its answer is held to. */
@FunctionalInterface
interface Question {
  void answer(Settings settings, Report report) throws Exception;

  /** The result of that name. */
  static Result of(java.util.List<Result> results, String name) {
    return results.stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  static double ratio(java.util.List<Result> results, String name, String to) {
    return of(results, name).median() / of(results, to).median();
  }
}
