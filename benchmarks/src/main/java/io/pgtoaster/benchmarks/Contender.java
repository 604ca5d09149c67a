package io.pgtoaster.benchmarks;

/**
 * One way to do the same.
 *
 * @param name in the table
 * @param measure does the work and returns its figure
 */
record Contender(String name, Measure measure) {
  /** Work that returns its figure. */
  @FunctionalInterface
  interface Measure {
    double run() throws Exception;
  }

  /** Work on so many bytes, in MB (of 2^20 bytes) per second. */
  static Contender throughput(String name, long bytes, Work work) {
    return new Contender(
        name,
        () -> {
          long start = System.nanoTime();
          work.run();
          return bytes / 1048576.0 / ((System.nanoTime() - start) / 1e9);
        });
  }

  /** Median time of one operation of many, in microseconds. */
  static Contender latency(String name, int operations, Work operation) {
    return new Contender(
        name,
        () -> {
          double[] micros = new double[operations];
          for (int i = 0; i < operations; i++) {
            long start = System.nanoTime();
            operation.run();
            micros[i] = (System.nanoTime() - start) / 1e3;
          }
          return Samples.of(micros).median();
        });
  }
}
