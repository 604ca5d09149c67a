package io.pgtoaster.benchmarks;

import io.pgtoaster.jsonb.JsonOptions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What does it cost to read one short key of every document of a table? */
final class DocumentAggregateQuestion implements Question {
  private static final Pattern PAGES = Pattern.compile("\"Shared (?:Hit|Read) Blocks\": (\\d+)");

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    int count = settings.number("aggregate-rows", 10_000);
    int small = 1 << 10;
    int large = settings.number("aggregate-kb", 100) << 10;
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("doc-aggregate: a key of " + count + " documents", bench.environment());
      for (boolean beside : new boolean[] {false, true}) {
        String where = beside ? ", beside 1 KB of text" : "";
        List<Result> pages = new ArrayList<>();
        List<Contender> contenders = new ArrayList<>();
        for (int bytes : List.of(small, large)) {
          for (boolean keyed : new boolean[] {true, false}) {
            String kind = keyed ? "keyed" : "plain";
            String name = kind + ", " + (bytes >> 10) + " KB" + where;
            DocumentTable table =
                table(bench, kind + (bytes >> 10) + (beside ? "_text" : ""), keyed, beside);
            table.row(1);
            table.own().put(1L, document(bytes));
            table.copy(1, count);
            table.vacuum();
            String sql = "SELECT data ->> 'id' FROM bench." + table.name();
            pages.add(Result.single(name, pages(bench, sql)));
            contenders.add(
                Contender.latency(
                    name, 3, () -> bench.number("SELECT count(id) FROM (" + sql + ") s(id)")));
          }
        }
        report.table("SELECT data ->> 'id'" + where, "pages", pages);
        String ratio = "keyed, " + (large >> 10) + " KB" + where;
        report.atMost(
            ratio + " / 1 KB, pages", Question.ratio(pages, ratio, "keyed, 1 KB" + where), 1.05);
        report.table(
            "time" + where,
            "us",
            new Rounds(settings.number("rounds", 5), 1, bench.cpu()).run(contenders));
      }
    }
  }

  private static DocumentTable table(Workbench bench, String name, boolean keyed, boolean beside)
      throws SQLException {
    DocumentTable table =
        keyed
            ? DocumentTable.keyed(bench, name, JsonOptions.defaults())
            : DocumentTable.plain(bench, name);
    if (beside) {
      bench.execute(
          "ALTER TABLE bench." + name + " ADD COLUMN body text DEFAULT repeat(md5('x'), 32)");
    }
    return table;
  }

  private static String document(int bytes) {
    String line = "a line of text that takes some room and is like the others";
    StringBuilder body = new StringBuilder("\"").append(line).append("\"");
    while (body.length() < bytes - 100) {
      body.append(", \"").append(line).append('"');
    }
    return String.format(
        Locale.ROOT,
        "{\"id\": \"d000001\", \"name\": \"document\", \"body\": [%s], \"price\": 12.50}",
        body);
  }

  private static double pages(Workbench bench, String sql) throws SQLException {
    String plan = bench.value("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) " + sql);
    Matcher found = PAGES.matcher(plan);
    double sum = 0;
    for (int i = 0; i < 2 && found.find(); i++) {
      sum += Double.parseDouble(found.group(1));
    }
    return sum;
  }
}
