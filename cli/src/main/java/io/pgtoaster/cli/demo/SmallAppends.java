package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One byte appended to values of several sizes: time, and write-ahead log. */
final class SmallAppends {
  private static final int ROUNDS = 5;
  private static final int FAST = 10;
  private static final int SLOW_ROUNDS = 3;

  /** From here on a contender that rewrites the value is asked less often. */
  private static final long SLOW_SIZE = 50_000_000;

  private final Workspace workspace;
  private final Samples millis = new Samples();
  private final Samples walBytes = new Samples();
  private boolean checkpointed;

  SmallAppends(Workspace workspace) {
    this.workspace = workspace;
  }

  private record Cell(GrowingContender contender, long size) {
    String value() {
      return "grow-" + label(size);
    }

    boolean isSlow() {
      return contender.appendLimit() < Long.MAX_VALUE;
    }
  }

  static String label(long size) {
    return size >= 1_000_000_000 ? size / 1_000_000_000 + "GB" : size / 1_000_000 + "MB";
  }

  Samples millis() {
    return millis;
  }

  Samples walBytes() {
    return walBytes;
  }

  boolean isCheckpointed() {
    return checkpointed;
  }

  void run(List<GrowingContender> contenders, List<Long> sizes, Consumer<String> progress)
      throws SQLException, IOException {
    List<Cell> cells = new ArrayList<>();
    for (long size : sizes) {
      progress.accept("values of " + label(size) + " to append one byte to");
      for (GrowingContender contender : contenders) {
        if (size <= contender.appendLimit()) {
          Cell cell = new Cell(contender, size);
          contender.fill(cell.value(), size);
          cells.add(cell);
        }
      }
    }
    progress.accept("one byte appended to each");
    workspace.vacuum();
    // The first change of a page after a checkpoint logs the whole page; the appends after it do
    // not.
    checkpointed = workspace.checkpoint();
    for (Cell cell : cells) {
      cell.contender.appendByte(cell.value());
    }
    try (Connection observer = workspace.connect();
        PreparedStatement position = position(observer)) {
      // Those that rewrite the value come last: the checkpoints that they cause make whole pages be
      // logged again.
      rounds(cells.stream().filter(cell -> !cell.isSlow()).toList(), FAST, position);
      rounds(cells.stream().filter(Cell::isSlow).toList(), 1, position);
    }
    for (Cell cell : cells) {
      cell.contender.remove(cell.value());
    }
  }

  private void rounds(List<Cell> cells, int times, PreparedStatement position) throws SQLException {
    for (int round = 0; round < ROUNDS; round++) {
      for (Cell cell : cells) {
        if (cell.isSlow() && cell.size > SLOW_SIZE && round >= SLOW_ROUNDS) {
          continue;
        }
        for (int i = 0; i < times; i++) {
          measure(cell, position);
        }
      }
    }
  }

  private void measure(Cell cell, PreparedStatement position) throws SQLException {
    long before = wal(position);
    long began = System.nanoTime();
    cell.contender.appendByte(cell.value());
    long took = System.nanoTime() - began;
    millis.add(cell.contender.name(), label(cell.size), took / 1e6);
    walBytes.add(cell.contender.name(), label(cell.size), (double) (wal(position) - before));
  }

  /** A statement that asks how far the write-ahead log has come. */
  static PreparedStatement position(Connection observer) throws SQLException {
    return observer.prepareStatement(
        "SELECT pg_catalog.pg_current_wal_insert_lsn() - '0/0'::pg_catalog.pg_lsn");
  }

  static long wal(PreparedStatement position) throws SQLException {
    try (ResultSet r = position.executeQuery()) {
      r.next();
      return r.getBigDecimal(1).longValue();
    }
  }
}
