package io.pgtoaster.benchmarks;

/**
 * What a contender reached.
 *
 * @param name of the contender
 * @param figures one per round
 * @param serverCpu of the server's sessions, milliseconds per round; NaN where it cannot be told
 */
record Result(String name, Samples figures, Samples serverCpu) {
  double median() {
    return figures.median();
  }
}
