package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.server.Database;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The measurement of one cell: created once, used by each thread, and checked at the end. */
abstract class Trial {
  /** One operation of one thread, which is what is measured. */
  @FunctionalInterface
  interface Operation {
    /** Performs the operation; fails if it finds a wrong result. */
    void run() throws Exception;
  }

  private final AutoCloseable contender;

  /** The database whose WAL is counted; null if only time is measured. */
  final @Nullable Database database;

  /** Whether the operations of an iteration must write something. */
  final boolean writes;

  Trial(AutoCloseable contender, @Nullable Database database, boolean writes) {
    this.contender = contender;
    this.database = database;
    this.writes = writes;
  }

  /** Opens the trial of a cell. */
  static Trial open(Cell cell) throws Exception {
    return switch (cell.type()) {
      case "Appends", "Growth", "Streams", "Appenders" -> BlobTrial.of(cell);
      case "KeyAccess", "Updates" -> new Documents(cell);
      case "Tables", "Budgets" -> new Tables(cell);
      case "Compression" -> cell.method().equals("values") ? BlobTrial.of(cell) : new Tables(cell);
      case "Entities" -> new Entities(cell);
      case "Ycsb" -> new Ycsb(cell);
      default -> throw new IllegalArgumentException("no such benchmark: " + cell.benchmark());
    };
  }

  /** Creates the operation of a thread, with its own session. */
  abstract Operation operation(int thread) throws Exception;

  /** Prepares an iteration. */
  void begin() throws Exception {}

  /** Checks an iteration, and adds other figures. */
  void end() throws Exception {}

  /** Compares the values stored after the last iteration with those written. */
  void check() throws Exception {}

  /** Checks the results and drops everything. */
  final void close() throws Exception {
    try (contender) {
      check();
    }
  }

  /** A wrong answer does not count, however fast it is. */
  static void equal(String what, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      throw new IllegalStateException(
          "%s should be %.100s, but is %.100s".formatted(what, expected, found));
    }
  }
}
