package io.pgtoaster.benchmarks.trial;

/**
 * How a cell is measured.
 *
 * @param operations operations of one iteration, timed together; 0 for as many as fit into its time
 * @param threads number of concurrent threads
 * @param warmUps warm-up iterations
 * @param iterations measured iterations
 * @param millis time of an iteration if the number of operations is 0; warm-up iterations take
 *     several times as long
 */
public record Batch(int operations, int threads, int warmUps, int iterations, int millis) {
  public Batch withThreads(int count) {
    return new Batch(operations, count, warmUps, iterations, millis);
  }

  public Batch withIterations(int warm, int counted) {
    return new Batch(operations, threads, warm, counted, millis);
  }
}
