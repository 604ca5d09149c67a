package io.pgtoaster.benchmarks.report;

import java.util.List;
import java.util.Map;

/** The table in the project's README. */
public final class Readme {
  private static final String BEGIN = "<!-- written by benchmarks/run docs -->\n";
  private static final String END = "<!-- until here -->";
  private static final List<Column> LINES =
      List.of(
          append("1 byte appended to 1 KB", "1KB"),
          append("1 byte appended to 100 MB", "100MB"),
          member("`roles[i].title` read, 33,000 roles", "KeyAccess.get", "33000"),
          member("`roles[i].title` set, 33,000 roles", "Updates.set", "33000"));

  private Readme() {}

  private static Column append(String title, String size) {
    return new Column(title, "Appends.append", Metric.TIME, Map.of("size", size, "piece", "1B"));
  }

  private static Column member(String title, String benchmark, String elements) {
    return new Column(
        title, benchmark, Metric.TIME, Map.of("set", "actors", "key", "any", "elements", elements));
  }

  /** Returns the text with the table of these results between its two marks. */
  public static String of(String text, Results results) {
    int from = text.indexOf(BEGIN) + BEGIN.length();
    int to = text.indexOf(END, from);
    if (from < BEGIN.length() || to < 0) {
      throw new IllegalArgumentException("no place between " + BEGIN.strip() + " and " + END);
    }
    return text.substring(0, from) + table(results) + text.substring(to);
  }

  private static String table(Results results) {
    StringBuilder text =
        new StringBuilder(
            """
            | | pgtoaster, plain SQL | `bytea`, `jsonb` |
            |---|---|---|
            """);
    for (Column line : LINES) {
      Map<String, Figure> figures = line.of(results);
      figures.keySet().retainAll(List.of("chunk tables", "bytea", "jsonb"));
      if (!figures.isEmpty()) {
        String plain = figures.containsKey("bytea") ? "bytea" : "jsonb";
        text.append(
            "| %s | %s | %s |\n"
                .formatted(
                    line.title(),
                    Page.cell(figures, "chunk tables", Metric.TIME),
                    Page.cell(figures, plain, Metric.TIME)));
      }
    }
    Map<String, String> facts = results.environment();
    return text.append(
            "\nPostgreSQL %s, %s, client and server on one machine, commits wait for the disk; compare the ratios.\n"
                .formatted(
                    facts.getOrDefault("PostgreSQL", ""),
                    facts.getOrDefault("Processor", "").replaceFirst(",.*", "")))
        .toString();
  }
}
