package io.pgtoaster.benchmarks;

import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * What does the server extension gain over plain SQL? Per operation: the server's execution time,
 * as pg_stat_statements adds it up over all statements of the operation; the client's time above
 * that of {@code SELECT 1}; and WAL. In transactions of many operations, whose commit does not
 * count.
 */
final class ExtensionQuestion implements Question {
  @Override
  public void answer(Settings settings, Report report) throws Exception {
    try (Workbench bench =
        Workbench.open(
            settings,
            Map.of(
                "shared_preload_libraries", "pg_stat_statements",
                "pg_stat_statements.track_utility", "off"))) {
      bench.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
      bench.execute("CREATE EXTENSION IF NOT EXISTS pgtoaster");
      report.heading("extension: beside plain SQL, inside one transaction", bench.environment());
      bench.withoutAutovacuum();
      Comparison comparison = new Comparison(settings, report, bench);
      comparison.blobs();
      comparison.documents();
    }
  }

  /** An executor: plain SQL or the extension, on a connection and a table of its own. */
  private record Executor(String name, String table, Connection connection, PgToaster door) {
    static Executor of(Workbench bench, boolean extension) throws SQLException {
      String name = extension ? "extension" : "plain SQL";
      Connection connection = bench.connectionOf(name);
      connection.setAutoCommit(false);
      PgToaster door = PgToaster.on(connection);
      return new Executor(
          name,
          extension ? "by_extension" : "by_sql",
          connection,
          extension ? door : door.withoutExtension());
    }

    BlobColumn blobs() {
      return door.blobs("bench", table, "data");
    }

    DocumentColumn documents() {
      return door.documents("bench", table, "data");
    }
  }

  /** An operation of an executor. */
  @FunctionalInterface
  private interface Way {
    Work of(Executor executor);
  }

  private static final class Comparison {
    private static final int ROWS = 100;

    private final Report report;
    private final Workbench bench;
    private final int count;
    private final int rounds;
    private final long size;
    private final DocumentSet set;
    private final int row;
    private final List<Executor> executors;

    Comparison(Settings settings, Report report, Workbench bench) throws SQLException {
      this.report = report;
      this.bench = bench;
      this.count = settings.number("operations", 2000);
      this.rounds = settings.number("rounds", 5);
      this.size = settings.megabytes("middle-mb", 100);
      this.set = DocumentSet.actors(20, 33_333);
      this.row = set.count() - 1;
      this.executors = List.of(Executor.of(bench, false), Executor.of(bench, true));
    }

    void blobs() throws Exception {
      for (Executor e : executors) {
        bench.blobTable(e.table(), BlobOptions.defaults()).filled(Payload.random().stream(0, size));
        bench.execute(
            "INSERT INTO bench."
                + e.table()
                + " SELECT i FROM generate_series(2, "
                + (ROWS + 1)
                + ") i");
      }
      compare("append of 1 byte", 3, count, append(1));
      compare("append of 100 bytes", 3, count, append(100));
      compare("append of 1 KB", 0, count, append(1 << 10));
      compare("append of 64 KB", 0, Math.max(1, count / 20), append(1 << 16));
      Random random = new Random(1);
      compare(
          "read of 4 KB",
          2,
          count,
          e -> {
            BlobColumn column = e.blobs();
            return () -> column.read(1L, random.nextInt((int) size - 4096), 4096);
          });
    }

    private static Way append(int bytes) {
      return e -> {
        BlobColumn column = e.blobs();
        long[] next = {0};
        return () -> column.append(2 + next[0]++ % ROWS, new byte[bytes]);
      };
    }

    void documents() throws Exception {
      for (Executor e : executors) {
        DocumentTable table = DocumentTable.create(bench, e.table()).filled(set);
        table.copy(row, row + ROWS - 1);
        table.vacuum();
      }
      Random random = new Random(1);
      DocumentPath shortKey = DocumentPath.of(set.shortKey());
      DocumentPath array = DocumentPath.of(set.array());
      compare("get of a short key", 0, count, get(() -> shortKey));
      compare("get of " + set.placeName(), 4, count, get(() -> set.place(row, random)));
      compare(
          "set of a short key",
          2,
          count,
          e -> set(e, () -> shortKey, () -> set.shortValue(random)));
      compare(
          "set of " + set.placeName(),
          2,
          count,
          e -> set(e, () -> set.place(row, random), () -> set.value(random)));
      long[] next = {0};
      Map<String, Object> element = Map.of("year", 1999, "title", "The Long Road Home");
      compare(
          "append of an element",
          0,
          Math.max(1, count / 4),
          e -> {
            DocumentColumn column = e.documents();
            return () -> column.append(row + next[0]++ % ROWS, array, element);
          });
      compare(
          "insert at the front",
          0,
          Math.max(1, count / 4),
          e -> {
            DocumentColumn column = e.documents();
            return () -> column.insert(row + next[0]++ % ROWS, array.index(0), element);
          });
    }

    private Way get(Supplier<DocumentPath> path) {
      long[] next = {0};
      return e -> {
        DocumentColumn column = e.documents();
        return () -> column.get(row + next[0]++ % ROWS, path.get());
      };
    }

    private Work set(Executor e, Supplier<DocumentPath> path, Supplier<Object> value) {
      DocumentColumn column = e.documents();
      long[] next = {0};
      return () -> column.set(row + next[0]++ % ROWS, path.get(), value.get());
    }

    /** Runs the executors in turn; bar 0: none. */
    private void compare(String operation, double bar, int operations, Way way) throws Exception {
      List<Work> works = new ArrayList<>();
      List<List<double[]>> figures = new ArrayList<>();
      for (Executor e : executors) {
        works.add(way.of(e));
        figures.add(new ArrayList<>());
      }
      bench.checkpoint();
      for (int round = -1; round < rounds; round++) {
        for (int i = 0; i < executors.size(); i++) {
          double[] measured = measure(executors.get(i), works.get(i), operations);
          if (round >= 0) {
            figures.get(i).add(measured);
          }
        }
      }
      List<Result> server = results(figures, 0);
      List<Result> client = results(figures, 1);
      List<Result> wal = results(figures, 2);
      report.table(operation + ", execution in the server", "us", server);
      report.table(operation + ", at the client above SELECT 1", "us", client);
      if (wal.get(0).median() > 0) {
        report.table(operation + ", WAL", "bytes", wal);
        report.atMost(operation + ", WAL of the extension / plain SQL", ratio(wal, 1, 0), 1);
      }
      if (bar > 0) {
        report.atLeast(operation + ", server, plain SQL / extension", ratio(server, 0, 1), bar);
        report.atLeast(operation + ", client, plain SQL / extension", ratio(client, 0, 1), 2);
      }
    }

    private static double ratio(List<Result> results, int of, int to) {
      return results.get(of).median() / results.get(to).median();
    }

    private List<Result> results(List<List<double[]>> figures, int which) {
      List<Result> results = new ArrayList<>();
      Samples none = Samples.of(Double.NaN);
      for (int i = 0; i < executors.size(); i++) {
        List<Double> values = figures.get(i).stream().map(f -> f[which]).toList();
        results.add(new Result(executors.get(i).name(), new Samples(values), none, none));
      }
      return results;
    }

    /** Server time, client time above a round trip, and WAL of one operation. */
    private double[] measure(Executor executor, Work work, int operations) throws Exception {
      micros(executor, Math.min(ROWS, operations), work);
      double roundTrip = micros(executor, operations, () -> ping(executor.connection()));
      bench.value("SELECT pg_stat_statements_reset()");
      long log = bench.walPosition();
      double client = micros(executor, operations, work);
      double wal = (double) (bench.walPosition() - log) / operations;
      double server =
          Double.parseDouble(
                  bench.value(
                      "SELECT coalesce(sum(total_exec_time), 0) * 1000 FROM pg_stat_statements"
                          + " WHERE query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE '%pg_current_wal%'"))
              / operations;
      return new double[] {server, client - roundTrip, wal};
    }

    /** Time of one operation, without the commits. */
    private static double micros(Executor executor, int operations, Work work) throws Exception {
      long nanos = 0;
      for (int done = 0; done < operations; ) {
        long start = System.nanoTime();
        for (int i = 0; i < ROWS && done < operations; i++, done++) {
          work.run();
        }
        nanos += System.nanoTime() - start;
        executor.connection().commit();
      }
      return nanos / 1e3 / operations;
    }

    private static void ping(Connection connection) throws SQLException {
      try (PreparedStatement s = connection.prepareStatement("SELECT 1");
          ResultSet r = s.executeQuery()) {
        r.next();
      }
    }
  }
}
