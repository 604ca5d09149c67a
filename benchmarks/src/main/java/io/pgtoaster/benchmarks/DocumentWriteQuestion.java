package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What does it cost to set one short key, or one element of a long array, of a document? Commits do
 * not wait for the disk. Server time is what is left of the client's without that of {@code SELECT
 * 1}, and so more than the server's own.
 */
final class DocumentWriteQuestion implements Question {
  private static final int SAMPLES = 6;
  private static final int PLACES = 16;

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("doc-write: one value of a document set, by size", bench.environment());
      for (DocumentSet set : settings.documentSets()) {
        DocumentTable keyed =
            DocumentTable.keyed(bench, "keyed_" + set.name(), JsonOptions.defaults()).filled(set);
        DocumentTable plain = DocumentTable.plain(bench, "plain_" + set.name()).filled(set);
        keyed.vacuum();
        plain.vacuum();
        new Writing(settings, report, bench, set, keyed, plain).run();
      }
    }
  }

  private record Way(
      String name, DocumentTable table, Connection connection, int count, Work work) {}

  private record Writing(
      Settings settings,
      Report report,
      Workbench bench,
      DocumentSet set,
      DocumentTable keyed,
      DocumentTable plain) {
    void run() throws Exception {
      bench.withoutAutovacuum();
      List<Way> shortKeys = new ArrayList<>();
      List<Way> places = new ArrayList<>();
      for (int n : set.sizes(SAMPLES)) {
        String size = ", " + set.elements().applyAsInt(n) + " elements";
        for (DocumentTable table : List.of(keyed, plain)) {
          String name = (table.isKeyed() ? "keyed" : "plain") + size;
          shortKeys.add(shortKey(name, table, n));
          places.add(place(name, table, n));
        }
      }
      measure(set.name() + "." + set.shortKey(), shortKeys);
      measure(set.name() + "." + set.placeName(), places);
    }

    private void measure(String what, List<Way> ways) throws Exception {
      bench.checkpoint();
      List<Contender> contenders = new ArrayList<>();
      contenders.add(DocumentReadQuestion.roundTrip(bench, settings.number("sets", 300)));
      for (Way way : ways) {
        contenders.add(Contender.latency(way.name(), way.count(), way.work()));
      }
      List<Result> times = new Rounds(settings.number("rounds", 5), 1, bench.cpu()).run(contenders);
      report.table(what + " set, time of one", "us", times);
      double most = DocumentReadQuestion.most(times, "keyed");
      report.atMost(
          what + " set, slowest / fastest", most / DocumentReadQuestion.least(times, "keyed"), 1.5);
      report.atMost(
          what + " set, slowest - SELECT 1, in ms",
          (most - times.get(0).figures().min()) / 1000,
          0.3);
      logged(what, ways);
    }

    /** Every page has been written since the checkpoint, so that none is logged as a whole. */
    private void logged(String what, List<Way> ways) throws Exception {
      List<Result> wal = new ArrayList<>();
      List<Result> pages = new ArrayList<>();
      for (Way way : ways) {
        way.table().vacuum();
        bench.checkpoint();
        int warm = way.table().isKeyed() ? 4 * PLACES : 1;
        for (int i = 0; i < warm; i++) {
          way.work().run();
        }
        long before = bench.walPosition();
        double read = way.table().pages(way.connection(), way.count(), way.work());
        wal.add(Result.single(way.name(), (double) (bench.walPosition() - before) / way.count()));
        pages.add(Result.single(way.name(), read));
      }
      report.table(what + " set, WAL of one, mean", "bytes", wal);
      report.table(what + " set, pages of one, mean", "pages", pages);
      report.atMost(
          what + " set, most WAL in bytes", DocumentReadQuestion.most(wal, "keyed"), 8192);
    }

    private Way shortKey(String name, DocumentTable table, int n) throws SQLException {
      Random random = new Random(n);
      return way(
          name, table, n, () -> DocumentPath.of(set.shortKey()), () -> set.shortValue(random));
    }

    private Way place(String name, DocumentTable table, int n) throws SQLException {
      Random random = new Random(n);
      List<DocumentPath> places =
          IntStream.range(0, PLACES).mapToObj(i -> set.place(n, random)).toList();
      int[] next = {0};
      return way(name, table, n, () -> places.get(next[0]++ % PLACES), () -> set.value(random));
    }

    private Way way(
        String name, DocumentTable table, int n, Next<DocumentPath> path, Next<Object> value)
        throws SQLException {
      Connection connection = bench.connectionOf(name);
      try (Statement s = connection.createStatement()) {
        s.execute("SET synchronous_commit = off");
      }
      DocumentColumn column = table.on(connection);
      int sets = settings.number("sets", 300);
      int count =
          table.isKeyed()
              ? sets
              : Math.max(2, Math.min(sets, 1_000_000 / set.elements().applyAsInt(n)));
      return new Way(
          name,
          table,
          connection,
          count,
          () -> {
            if (!column.set((long) n, path.get(), value.get())) {
              throw new IllegalStateException("nothing was set in document " + n);
            }
          });
    }
  }

  private interface Next<T> {
    T get();
  }
}
