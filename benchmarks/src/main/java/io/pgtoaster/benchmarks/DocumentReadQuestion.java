package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What does it cost to read one short key, or one element of a long array, of a document? */
final class DocumentReadQuestion implements Question {
  private static final int SAMPLES = 6;

  /** So often a statement has run before its plan is kept. */
  private static final int PLANNED = 12;

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("doc-read: one value of a document, by size", bench.environment());
      for (DocumentSet set : settings.documentSets()) {
        DocumentTable keyed =
            DocumentTable.keyed(bench, "keyed_" + set.name(), JsonOptions.defaults()).filled(set);
        DocumentTable plain = DocumentTable.plain(bench, "plain_" + set.name()).filled(set);
        keyed.vacuum();
        plain.vacuum();
        new Reading(settings, report, bench, set, keyed, plain).run();
      }
    }
  }

  private record Reading(
      Settings settings,
      Report report,
      Workbench bench,
      DocumentSet set,
      DocumentTable keyed,
      DocumentTable plain) {
    void run() throws Exception {
      bench.withoutAutovacuum();
      bench.checkpoint();
      List<Integer> samples = set.sizes(SAMPLES);
      List<Way> shortKeys = new ArrayList<>();
      List<Way> places = new ArrayList<>();
      List<Way> columns = new ArrayList<>();
      for (int n : samples) {
        String size = ", " + set.elements().applyAsInt(n) + " elements";
        columns.add(sql("column by SQL" + size, keyed, "number", n));
        columns.add(sql("short key by SQL" + size, keyed, "data ->> '" + set.shortKey() + "'", n));
        columns.add(
            sql("plain, short key by SQL" + size, plain, "data ->> '" + set.shortKey() + "'", n));
        DocumentPath shortPath = DocumentPath.of(set.shortKey());
        shortKeys.add(api("keyed" + size, keyed, n, random -> shortPath));
        shortKeys.add(api("plain" + size, plain, n, random -> shortPath));
        places.add(api("keyed" + size, keyed, n, random -> set.place(n, random)));
        places.add(api("plain" + size, plain, n, random -> set.place(n, random)));
      }
      String key = set.name() + "." + set.shortKey();
      List<Result> pages = pages(key + " beside an ordinary column", columns);
      report.atMost(
          key + " in pages, most / ordinary column",
          most(pages, "short key by SQL") / least(pages, "column by SQL"),
          1.1);
      times(key + " beside an ordinary column", columns, "short key by SQL", 1.5);
      flat(key + " by get", shortKeys);
      flat(set.name() + "." + set.placeName() + " by get", places);
    }

    private void flat(String what, List<Way> ways) throws Exception {
      pages(what, ways);
      times(what, ways, "keyed", 1.5);
    }

    private void times(String what, List<Way> ways, String bounded, double limit) throws Exception {
      int rounds = settings.number("rounds", 5);
      List<Contender> contenders = new ArrayList<>();
      contenders.add(roundTrip(bench, settings.number("reads", 300)));
      for (Way way : ways) {
        contenders.add(Contender.latency(way.name(), way.count(), way.work()));
      }
      List<Result> results = new Rounds(rounds, 1, bench.cpu()).run(contenders);
      report.table(what + ", time of one", "us", results);
      report.atMost(
          what + ", slowest / fastest", most(results, bounded) / least(results, bounded), limit);
    }

    private List<Result> pages(String what, List<Way> ways) throws Exception {
      List<Result> results = new ArrayList<>();
      for (Way way : ways) {
        for (int i = 0; i < PLANNED; i++) {
          way.work().run();
        }
        results.add(
            Result.single(
                way.name(), way.table().pages(way.connection(), way.count(), way.work())));
      }
      report.table(what + ", pages", "pages", results);
      return results;
    }

    private int count(DocumentTable table, int n) {
      int reads = settings.number("reads", 300);
      return table.isKeyed()
          ? reads
          : Math.max(3, Math.min(reads, 3_000_000 / set.elements().applyAsInt(n)));
    }

    private Way api(String name, DocumentTable table, int n, Places places) throws SQLException {
      Connection connection = bench.connectionOf(name);
      DocumentColumn column = table.on(connection);
      Random random = new Random(n);
      return new Way(
          name,
          table,
          connection,
          count(table, n),
          () -> {
            if (column.get((long) n, places.next(random)).isEmpty()) {
              throw new IllegalStateException("there is nothing in document " + n);
            }
          });
    }

    private Way sql(String name, DocumentTable table, String expression, int n)
        throws SQLException {
      Connection connection = bench.connectionOf(name);
      PreparedStatement s =
          connection.prepareStatement(
              "SELECT " + expression + " FROM bench." + table.name() + " WHERE id = ?");
      s.setLong(1, n);
      return new Way(
          name,
          table,
          connection,
          count(table, n),
          () -> {
            try (ResultSet r = s.executeQuery()) {
              if (!r.next() || r.getString(1) == null) {
                throw new IllegalStateException("there is nothing in document " + n);
              }
            }
          });
    }
  }

  /** A way to read, and how often it is gone. */
  private record Way(
      String name, DocumentTable table, Connection connection, int count, Work work) {}

  private interface Places {
    DocumentPath next(Random random);
  }

  /** The shortest statement: what is more than its time is not the network's. */
  static Contender roundTrip(Workbench bench, int count) throws SQLException {
    PreparedStatement one = bench.connectionOf("SELECT 1").prepareStatement("SELECT 1");
    return Contender.latency("SELECT 1", count, () -> one.executeQuery().close());
  }

  /** The largest figure of those of a name, each of its quietest round. */
  static double most(List<Result> results, String name) {
    return quietest(results, name).max().orElse(Double.NaN);
  }

  /** The smallest figure of those of a name, each of its quietest round. */
  static double least(List<Result> results, String name) {
    return quietest(results, name).min().orElse(Double.NaN);
  }

  private static java.util.stream.DoubleStream quietest(List<Result> results, String name) {
    return results.stream()
        .filter(r -> r.name().startsWith(name + ","))
        .mapToDouble(r -> r.figures().min());
  }
}
