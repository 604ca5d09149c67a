package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.PartsStream;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What does it cost to insert, append and remove elements of an array of millions? */
final class DocumentArrayQuestion implements Question {
  private static final DocumentPath ARRAY = DocumentPath.of("items");
  private static final int WARM = 30;

  private record Way(String name, Work work) {}

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    int elements = settings.number("array-elements", 5_000_000);
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("doc-array: an array of " + elements + " numbers", bench.environment());
      DocumentTable table = DocumentTable.create(bench, "keyed_array");
      table.row(1);
      long start = System.nanoTime();
      table.own().put(1L, new PartsStream("{\"items\": [", elements, i -> Long.toString(i), "]}"));
      report.note("stored in " + (System.nanoTime() - start) / 1_000_000 + " ms");
      table.vacuum();
      bench.withoutAutovacuum();
      Connection connection = bench.connectionOf("array");
      try (Statement s = connection.createStatement()) {
        s.execute("SET synchronous_commit = off");
      }
      List<Way> ways = ways(table.on(connection), elements / 2);
      int count = settings.number("edits", 500);
      logged(bench, table, connection, report, ways, count);
      List<Contender> contenders = new ArrayList<>();
      PreparedStatement one = bench.connectionOf("SELECT 1").prepareStatement("SELECT 1");
      contenders.add(Contender.latency("SELECT 1", count, () -> one.executeQuery().close()));
      for (Way way : ways) {
        contenders.add(Contender.latency(way.name(), count, way.work()));
      }
      List<Result> times = new Rounds(settings.number("rounds", 3), 1, bench.cpu()).run(contenders);
      report.table("time of one, commits do not wait for the disk", "us", times);
      double most = 0;
      double least = Double.MAX_VALUE;
      for (Result time : times.subList(1, times.size())) {
        most = Math.max(most, time.figures().min());
        least = Math.min(least, time.figures().min());
      }
      report.atMost("slowest / fastest", most / least, 1.5);
      report.note("found by verify: " + table.own().verify(1L));
    }
  }

  private static List<Way> ways(DocumentColumn column, int middle) {
    List<Way> ways = new ArrayList<>();
    List<DocumentPath> places = List.of(ARRAY.index(0), ARRAY.index(middle), ARRAY.index(-1));
    List<String> names = List.of("at the front", "in the middle", "at the end");
    for (int i = 0; i < places.size(); i++) {
      DocumentPath place = places.get(i);
      ways.add(new Way("insert " + names.get(i), () -> done(column.insert(1L, place, 12_345))));
    }
    for (int i = 0; i < places.size(); i++) {
      DocumentPath place = places.get(i);
      ways.add(new Way("remove " + names.get(i), () -> done(column.remove(1L, place))));
    }
    ways.add(new Way("append", () -> done(column.append(1L, ARRAY, 12_345))));
    return ways;
  }

  private static void done(boolean applied) {
    if (!applied) {
      throw new IllegalStateException("nothing was changed");
    }
  }

  private static void logged(
      Workbench bench,
      DocumentTable table,
      Connection connection,
      Report report,
      List<Way> ways,
      int count)
      throws Exception {
    List<Result> wal = new ArrayList<>();
    List<Result> pages = new ArrayList<>();
    for (Way way : ways) {
      bench.checkpoint();
      for (int i = 0; i < WARM; i++) {
        way.work().run();
      }
      long before = bench.walPosition();
      double read = table.pages(connection, count, way.work());
      double each = (double) (bench.walPosition() - before) / count;
      wal.add(Result.single(way.name(), each));
      pages.add(Result.single(way.name(), read));
      report.atMost("WAL of one " + way.name(), each, 16_384);
    }
    report.table("WAL of one, mean of " + count, "bytes", wal);
    report.table("pages of one, mean", "pages", pages);
  }
}
