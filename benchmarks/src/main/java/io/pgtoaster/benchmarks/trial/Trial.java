package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import org.jspecify.annotations.Nullable;

/** The measurement of one cell: created once, used by each thread, and checked at the end. */
public abstract class Trial {
  /** One operation of one thread: this is what is measured. */
  @FunctionalInterface
  public interface Operation {
    /** Performs the operation; fails if it finds a wrong result. */
    void run() throws Exception;
  }

  /** Returns the database whose costs are counted; null if only time is measured. */
  public abstract @Nullable Database database();

  /** Creates the operation of a thread, with its own session. */
  public abstract Operation operation(int thread) throws Exception;

  /** Prepares an iteration. */
  public void begin() throws Exception {}

  /** Checks the costs of an iteration, and adds other figures. */
  public void end(Counters cost) throws Exception {}

  /**
   * Returns whether the elapsed time of all threads together is also measured, because some threads
   * end early.
   */
  public boolean clocked() {
    return false;
  }

  /** Returns whether operations scan tables. Otherwise they must find rows through an index. */
  public boolean scans() {
    return false;
  }

  /** Compares the values stored after the last iteration with those written. */
  public void check() throws Exception {}

  /** Checks the results and drops everything. */
  public void close() throws Exception {
    Database closed = database();
    try (closed) {
      check();
    }
  }
}
