package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Runs several alternatives in turn, and measures time and write-ahead log. */
final class RoundRobin {
  private static final int MAX_TURNS = 20;
  private static final int MIN_TURNS = 3;

  /** After this time, an alternative is not run again. */
  private static final double MAX_MILLIS = 500;

  private final Workspace workspace;
  private final Figures millis = new Figures("ms", 3);
  private final Figures walBytes = new Figures("bytes of WAL", 0);

  RoundRobin(Workspace workspace) {
    this.workspace = workspace;
  }

  /** One run of an alternative. */
  @FunctionalInterface
  interface Turn {
    void take(int number) throws SQLException, IOException;
  }

  /** Runs each alternative in turn on values of one size. */
  void take(String size, Map<String, Turn> ways) throws SQLException, IOException {
    Map<String, Double> spent = new HashMap<>();
    try (Connection observer = workspace.connect();
        PreparedStatement position =
            observer.prepareStatement(
                "SELECT pg_catalog.pg_current_wal_insert_lsn() - '0/0'::pg_catalog.pg_lsn")) {
      for (int number = 0; number <= MAX_TURNS; number++) {
        for (Map.Entry<String, Turn> way : ways.entrySet()) {
          String name = way.getKey();
          if (number > MIN_TURNS && spent.getOrDefault(name, 0.0) > MAX_MILLIS) {
            continue;
          }
          long before = wal(position);
          long began = System.nanoTime();
          way.getValue().take(number);
          double took = (System.nanoTime() - began) / 1e6;
          // Skip the first run, because the first change of a page after a checkpoint logs the
          // whole page.
          if (number > 0) {
            spent.merge(name, took, Double::sum);
            millis.add(name, size, took);
            walBytes.add(name, size, (double) (wal(position) - before));
          }
        }
      }
    }
  }

  private static long wal(PreparedStatement position) throws SQLException {
    try (ResultSet r = position.executeQuery()) {
      r.next();
      return r.getBigDecimal(1).longValue();
    }
  }

  String millis() {
    return millis.table().toString();
  }

  String walBytes() {
    return walBytes.table().toString();
  }
}
