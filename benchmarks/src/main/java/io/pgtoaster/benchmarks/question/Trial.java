package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.server.Database;
import org.jspecify.annotations.Nullable;

/** The measurement of one cell: created once, used by each thread, and checked at the end. */
public abstract class Trial {
  /** One operation of one thread, which is what is measured. */
  @FunctionalInterface
  public interface Operation {
    /** Performs the operation; fails if it finds a wrong result. */
    void run() throws Exception;
  }

  /** Opens the trial of a cell. */
  public static Trial open(Cell cell) throws Exception {
    return switch (cell.type()) {
      case "Appends" -> new Appends(cell);
      case "Growth" -> new Growth(cell);
      case "Streams" -> new Streams(cell);
      case "Appenders" -> new Appenders(cell);
      case "KeyAccess", "Updates" -> new Documents(cell);
      case "Tables", "Budgets" -> new Tables(cell);
      case "Compression" -> cell.method().equals("values") ? new Values(cell) : new Tables(cell);
      case "Entities" -> new Entities(cell);
      case "Ycsb" -> new Ycsb(cell);
      default -> throw new IllegalArgumentException("no such benchmark: " + cell.benchmark());
    };
  }

  /** Returns the database whose WAL is counted; null if only time is measured. */
  public abstract @Nullable Database database();

  /** Creates the operation of a thread, with its own session. */
  public abstract Operation operation(int thread) throws Exception;

  /** Returns whether the operations of an iteration must write something. */
  public boolean writes() {
    return true;
  }

  /** Prepares an iteration. */
  public void begin() throws Exception {}

  /** Checks an iteration, and adds other figures. */
  public void end() throws Exception {}

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
