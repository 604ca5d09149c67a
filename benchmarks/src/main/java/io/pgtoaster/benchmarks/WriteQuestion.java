package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobOptions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** How fast does a stream come in? */
final class WriteQuestion implements Question {
  static final List<Integer> BUFFERS = List.of(64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20);

  private static final String ATOMIC = "pgtoaster append(InputStream), own";
  private static final String CALLERS = "pgtoaster append(InputStream), caller's";
  private static final String COMMITTING = "pgtoaster appendStream, commits each 4 MB";
  private static final String LARGE_OBJECT = "large object";
  private static final String COPY = "COPY binary, 32 rows per message";

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    long bytes = settings.megabytes("write-mb", 128);
    try (Workbench bench = Workbench.open(settings)) {
      report.heading(
          "write: " + (bytes >> 20) + " MB of random bytes, one blob", bench.environment());
      int best = bestBuffer(settings, bench, bytes / 2, report);
      Rounds rounds = new Rounds(settings.number("rounds", 7), 1, bench.cpu());
      List<Result> results = rounds.run(contenders(bench, bytes, best));
      report.table("streams written", "MB/s", results);
      report.atLeast("append / large object", Question.ratio(results, ATOMIC, LARGE_OBJECT), 2.3);
      report.atLeast("append / COPY", Question.ratio(results, ATOMIC, COPY), 1.1);
      report.atLeast(
          "append in a caller's transaction / large object",
          Question.ratio(results, CALLERS, LARGE_OBJECT),
          2.3);
      report.atLeast(
          "append in a caller's transaction / COPY", Question.ratio(results, CALLERS, COPY), 1.1);
      report.atLeast(
          "committing stream / large object",
          Question.ratio(results, COMMITTING, LARGE_OBJECT),
          2.3);
      report.atLeast("committing stream / COPY", Question.ratio(results, COMMITTING, COPY), 1.1);
    }
  }

  /** The buffer at which pgjdbc writes large objects fastest. */
  private static int bestBuffer(Settings settings, Workbench bench, long bytes, Report report)
      throws Exception {
    Writers writers = new Writers(bench, Payload.random(), bytes);
    List<Contender> sizes = new ArrayList<>();
    for (int size : BUFFERS) {
      sizes.add(
          Contender.throughput(
              "large object, buffer " + (size >> 10) + " KB",
              bytes,
              () -> withoutLargeObjects(bench),
              () -> writers.largeObject(size)));
    }
    Rounds rounds = new Rounds(Math.min(3, settings.number("rounds", 7)), 1, bench.cpu());
    List<Result> results = rounds.run(sizes);
    report.table("large object by buffer size", "MB/s", results);
    return BUFFERS.get(fastest(results));
  }

  static int fastest(List<Result> results) {
    int best = 0;
    for (int i = 1; i < results.size(); i++) {
      best = results.get(i).median() > results.get(best).median() ? i : best;
    }
    return best;
  }

  private static void withoutLargeObjects(Workbench bench) throws SQLException {
    bench.removeLargeObjects();
    bench.checkpoint();
  }

  private static List<Contender> contenders(Workbench bench, long bytes, int bufferSize) {
    Writers writers = new Writers(bench, Payload.random(), bytes);
    Fresh fresh = new Fresh(bench);
    List<Contender> all = new ArrayList<>();
    all.add(into(fresh, ATOMIC, bytes, writers::appendOwn));
    all.add(into(fresh, CALLERS, bytes, writers::appendInTransaction));
    all.add(into(fresh, COMMITTING, bytes, writers::appendStream));
    all.add(
        Contender.throughput(
            LARGE_OBJECT,
            bytes,
            () -> withoutLargeObjects(bench),
            () -> writers.largeObject(bufferSize)));
    all.add(into(fresh, COPY, bytes, table -> writers.copy(table, 32)));
    all.add(into(fresh, "COPY binary, a row per message", bytes, t -> writers.copy(t, 1)));
    all.add(
        Contender.throughput(
            "bytea, one parameter",
            bytes,
            () -> {
              bench.byteaTable("whole");
              bench.checkpoint();
            },
            () -> writers.bytea("whole")));
    return all;
  }

  private interface Into {
    void write(BlobTable table) throws Exception;
  }

  private static Contender into(Fresh fresh, String name, long bytes, Into work) {
    return Contender.throughput(name, bytes, fresh::renew, () -> work.write(fresh.table()));
  }

  /** A store that is made anew before each measurement. */
  private static final class Fresh {
    private final Workbench bench;
    private List<BlobTable> table = List.of();

    Fresh(Workbench bench) {
      this.bench = bench;
    }

    void renew() throws SQLException {
      table = List.of(bench.blobTable("stream", BlobOptions.defaults()));
      bench.checkpoint();
    }

    BlobTable table() {
      return table.get(0);
    }
  }
}
