package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.jsonb.JsonOptions.Compression;
import io.pgtoaster.jsonb.PutResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/** What do whole documents cost: to store, to load, to keep, and to store again with one change? */
final class DocumentWholeQuestion implements Question {
  private static final int SAMPLES = 5;
  private static final int BATCH_BYTES = 500_000;
  private static final int MOST_IN_BATCH = 100;
  private static final String CALLER = "caller";

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("doc-whole: whole documents", bench.environment());
      for (DocumentSet set : settings.documentSets()) {
        for (Compression method : Compression.values()) {
          if (method == Compression.LZ4 && !bench.hasLz4()) {
            report.note("this server was built without lz4");
            continue;
          }
          JsonOptions options = JsonOptions.defaults().withCompression(method);
          DocumentTable keyed =
              DocumentTable.keyed(bench, "keyed_" + set.name(), options).filled(set);
          DocumentTable plain =
              DocumentTable.plain(bench, "plain_" + set.name()).compressed(method).filled(set);
          space(report, set.name() + ", " + method, keyed, plain);
          if (method == Compression.PGLZ) {
            keyed.vacuum();
            plain.vacuum();
            new Whole(settings, report, bench, set, keyed, plain).run();
          }
        }
      }
    }
  }

  private static void space(Report report, String what, DocumentTable keyed, DocumentTable plain)
      throws SQLException {
    report.table(
        "space, " + what,
        "MB",
        List.of(
            Result.single("plain", plain.diskBytes() / 1048576.0),
            Result.single("keyed", keyed.diskBytes() / 1048576.0)));
    report.atMost(
        "space, " + what + ", keyed / plain", (double) keyed.diskBytes() / plain.diskBytes(), 1.3);
  }

  private record Whole(
      Settings settings,
      Report report,
      Workbench bench,
      DocumentSet set,
      DocumentTable keyed,
      DocumentTable plain) {
    void run() throws Exception {
      Connection caller = bench.connectionOf(CALLER);
      try (Statement s = caller.createStatement()) {
        s.execute("SET synchronous_commit = off");
      }
      for (int n : set.sizes(SAMPLES)) {
        int batch = Math.max(1, Math.min(BATCH_BYTES / set.text(n).length(), MOST_IN_BATCH));
        load(caller, n, batch);
        put(caller, n, batch);
      }
      for (int n : set.sizes(SAMPLES)) {
        change(n);
      }
    }

    private Rounds rounds() {
      return new Rounds(settings.number("rounds", 5), 1, bench.cpu());
    }

    private String of(int n) {
      return String.format(
          Locale.ROOT, "%s of %d KB", set.name(), Math.max(set.text(n).length() >> 10, 1));
    }

    private void load(Connection caller, int n, int batch) throws Exception {
      DocumentColumn column = keyed.on(caller);
      DocumentColumn stock = plain.on(caller);
      PreparedStatement raw =
          caller.prepareStatement(
              "SELECT CAST(data AS text) FROM bench." + plain.name() + " WHERE id = ?");
      List<Result> results =
          rounds()
              .run(
                  List.of(
                      batched("plain by SQL, text", batch, i -> text(raw, n)),
                      batched("plain, text", batch, i -> stock.text((long) n)),
                      batched("keyed, text", batch, i -> column.text((long) n)),
                      batched("plain, tree", batch, i -> stock.load((long) n)),
                      batched("keyed, tree", batch, i -> column.load((long) n))));
      report.table(of(n) + " loaded", "us", results);
      report.atMost(
          of(n) + " loaded as text, keyed / plain by SQL",
          Question.ratio(results, "keyed, text", "plain by SQL, text"),
          2);
      report.atMost(
          of(n) + " loaded as a tree, keyed / plain",
          Question.ratio(results, "keyed, tree", "plain, tree"),
          2);
    }

    private static Object text(PreparedStatement s, int n) throws SQLException {
      s.setLong(1, n);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getString(1);
      }
    }

    private void put(Connection caller, int n, int batch) throws Exception {
      String text = set.text(n);
      DocumentTable newKeyed = DocumentTable.keyed(bench, "new_keyed", JsonOptions.defaults());
      DocumentTable newPlain = DocumentTable.plain(bench, "new_plain");
      DocumentColumn column = newKeyed.on(caller);
      DocumentColumn stock = newPlain.on(caller);
      PreparedStatement raw =
          caller.prepareStatement(
              "UPDATE bench." + newPlain.name() + " SET data = CAST(? AS jsonb) WHERE id = ?");
      List<Result> results =
          rounds()
              .run(
                  List.of(
                      fresh("plain by SQL", newPlain, batch, id -> update(raw, id, text)),
                      fresh("plain", newPlain, batch, id -> stock.put(id, text)),
                      fresh("keyed", newKeyed, batch, id -> column.put(id, text))));
      report.table(of(n) + " put into a new row", "us", results);
      report.atMost(
          of(n) + " put, keyed / plain by SQL",
          Question.ratio(results, "keyed", "plain by SQL"),
          2);
    }

    private static Object update(PreparedStatement s, long id, String text) throws SQLException {
      s.setString(1, text);
      s.setLong(2, id);
      return s.executeUpdate();
    }

    /** The same with rows made before. */
    private Contender fresh(String name, DocumentTable table, int batch, Each work) {
      long[] next = {name.hashCode() & 0xFFFFFL};
      Contender timed = batched(name, batch, i -> work.run(next[0] + i));
      return new Contender(
          name,
          () -> {
            next[0] += batch;
            bench.execute(
                String.format(
                    Locale.ROOT,
                    "INSERT INTO bench.%s (id) SELECT %d + i FROM generate_series(0, %d) i",
                    table.name(),
                    next[0],
                    batch - 1));
          },
          timed.measure());
    }

    private void change(int n) {
      DocumentColumn column = keyed.own();
      String text = set.text(n);
      PutResult same = column.put((long) n, text);
      int at = text.lastIndexOf(set.member().isEmpty() ? "\"key3\": " : "\"title\": \"");
      int digit = at + (set.member().isEmpty() ? 8 : 10);
      PutResult changed =
          column.put((long) n, text.substring(0, digit) + "9" + text.substring(digit));
      report.note(of(n) + " put again: " + same + ", with one key changed: " + changed);
      long leaves = column.stat((long) n).orElseThrow().leaves();
      report.atMost(
          of(n) + " with one key changed, leaves written", (double) (leaves - changed.kept()), 3);
    }
  }

  private interface Each {
    Object run(long number) throws Exception;
  }

  /** Mean time of one of a batch, in microseconds. */
  private static Contender batched(String name, int count, Each work) {
    return new Contender(
        name,
        Work.NONE,
        () -> {
          long start = System.nanoTime();
          for (int i = 0; i < count; i++) {
            if (work.run(i) == null) {
              throw new IllegalStateException(name + " found nothing");
            }
          }
          return (System.nanoTime() - start) / 1e3 / count;
        });
  }
}
