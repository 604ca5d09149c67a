package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import org.jspecify.annotations.Nullable;

/** What one cell measures: made once, worked on by each thread, and checked at the end. */
public abstract class Trial {
  /** What is measured: one operation of one thread. */
  @FunctionalInterface
  public interface Operation {
    /** Does it; fails if it finds something wrong. */
    void run() throws Exception;
  }

  /** The database whose costs are counted; null where only time is measured. */
  public abstract @Nullable Database database();

  /** Makes the operation of a thread, with a session of its own. */
  public abstract Operation operation(int thread) throws Exception;

  /** Prepares an iteration. */
  public void begin() throws Exception {}

  /** Looks at what an iteration has cost, and adds what else it found. */
  public void end(Counters cost) throws Exception {}

  /** Whether the time of all threads together is told, too: some end early. */
  public boolean clocked() {
    return false;
  }

  /** Whether operations read whole tables; those of others find rows by an index. */
  public boolean scans() {
    return false;
  }

  /** Compares what is there behind the last iteration with what was written. */
  public void check() throws Exception {}

  /** Checks, and drops everything. */
  public void close() throws Exception {
    Database closed = database();
    try (closed) {
      check();
    }
  }
}
