package io.pgtoaster.benchmarks;

/**
 * What a contender reached.
 *
 * @param name of the contender
 * @param figures one per round
 * @param serverCpu of the server's sessions, milliseconds per round; NaN where it cannot be told
 * @param clientCpu of this process, the same
 */
record Result(String name, Samples figures, Samples serverCpu, Samples clientCpu) {
  /** A figure that was not taken in rounds. */
  static Result single(String name, double figure) {
    return new Result(name, Samples.of(figure), Samples.of(Double.NaN), Samples.of(Double.NaN));
  }

  double median() {
    return figures.median();
  }
}
