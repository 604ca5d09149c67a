package io.pgtoaster.it.hibernate.report;

import io.pgtoaster.it.hibernate.kit.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Tables of results, as Markdown in the build directory. */
final class Report {
  private static final Path FILE =
      Path.of(System.getProperty("pgtoaster.postgres.dir")).resolveSibling("hibernate-report.md");
  private static final List<String> PARTS = new ArrayList<>();

  private Report() {}

  /** Adds the results for one server, prints them, and rewrites the file. */
  static synchronized void add(String server, long documentBytes, List<Result> results)
      throws IOException {
    String part =
        """
        ## %s, a document of %,d bytes

        Medians of transactions: load the entity, read three small members and one line, change, commit.
        Bytes sent are those of statements and parameters; CPU and allocation are the client thread's.
        Dirty checking is what the same takes less where the session is read-only.

        """
                .formatted(server, documentBytes)
            + table("A small member changed", results, Result::small)
            + table("One number of one line changed", results, Result::deep)
            + table("Nothing changed", results, Result::untouched)
            + table("Of this for dirty checking", results, Result::dirtyChecking)
            + table("Only a flush, with nothing changed", results, Result::flush)
            + table(
                Trial.MANY + " of 42 KB loaded, a big member of each read", results, Result::many);
    PARTS.add(part);
    Files.writeString(FILE, String.join("\n", PARTS));
    System.out.println(part);
  }

  /** Returns each figure, with its ratio to the first contender's figure. */
  private static String table(String title, List<Result> results, Function<Result, Cost> figures) {
    StringBuilder table = new StringBuilder();
    table.append("| ").append(title);
    table.append(" | held | statements | bytes sent | WAL bytes | CPU us | allocated bytes |\n");
    table.append("|---|---|---:|---:|---:|---:|---:|\n");
    Cost first = figures.apply(results.get(0));
    for (Result r : results) {
      Cost c = figures.apply(r);
      List<String> cells =
          List.of(
              r.contender().name(),
              r.contender().held(),
              Long.toString(c.statements()),
              cell(c.sentBytes(), first.sentBytes()),
              cell(c.walBytes(), first.walBytes()),
              cell(c.cpuNanos() / 1000, first.cpuNanos() / 1000),
              cell(c.allocatedBytes(), first.allocatedBytes()));
      table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
    return table.append('\n').toString();
  }

  private static String cell(long figure, long first) {
    long times = first == 0 ? 0 : Math.round((double) figure / first);
    String text = String.format(Locale.ROOT, "%,d", figure);
    return times < 2 ? text : String.format(Locale.ROOT, "%s (x %,d)", text, times);
  }
}
