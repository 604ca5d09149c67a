package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import org.jspecify.annotations.Nullable;

/** What one cell measures: made once, worked on by each thread, and checked at the end. */
abstract class Trial {
  /** What is measured: one operation of one thread. */
  @FunctionalInterface
  interface Operation {
    /** Does it; fails if it finds something wrong. */
    void run() throws Exception;
  }

  /** The database whose costs are counted; null where only time is measured. */
  abstract @Nullable Database database();

  /** Makes the operation of a thread, with a session of its own. */
  abstract Operation operation(int thread) throws Exception;

  /** Prepares an iteration. */
  void begin() throws Exception {}

  /** Looks at what an iteration has cost, and adds what else it found. */
  void end(Counters cost) throws Exception {}

  /** Whether the time of all threads together is told, too: some end early. */
  boolean clocked() {
    return false;
  }

  /** Whether operations read whole tables; those of others find rows by an index. */
  boolean scans() {
    return false;
  }

  /** Compares what is there behind the last iteration with what was written. */
  void check() throws Exception {}

  /** Checks, and drops everything. */
  void close() throws Exception {
    Database closed = database();
    try (closed) {
      check();
    }
  }
}
