package io.pgtoaster.benchmarks.trial;

/**
 * How a cell is measured.
 *
 * @param operations of one iteration, all timed together; 0 for as many as take its time
 * @param threads that work at the same time
 * @param warmUps iterations that do not count
 * @param iterations that count
 * @param millis of an iteration whose number of operations is open; one that does not count takes
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
