package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code docs/benchmarks.md}: one table for each question. */
public final class Page {
  private static final String BEGIN =
      """
      # Benchmarks

      <!-- Written by `benchmarks/run docs`: do not edit. -->

      Medians of `benchmarks/results/standard`; [CONTRIBUTING](../CONTRIBUTING.md#benchmarks) says how to repeat them. Compare ratios, not times.
      *chunk tables* is pgtoaster in plain SQL, *extension* with its C extension. Each column shows the fastest variant of
      a peer: large objects through the driver or SQL; `jsonb` with the server's default compression, lz4, or none.
      **Bold** figures are better than all others by more than the noise.

      The line below each table counts the cells of the question in which pgtoaster is faster than every peer / neither / slower
      than a peer, by more than a tenth and more than the noise.
      """;

  private static final String END =
      """
      An empty cell was not measured: FerretDB needs up to two minutes for a cell with a large document and ignores the
        position of an insert, and a `bytea` cannot hold 1 GB. The default compression of this server is lz4.
      - Single measurements, such as values larger than memory, are in `benchmarks/results/once.json`, each with its
        commit and command.
      """;

  /** Smaller differences do not count. */
  private static final double LEAST = 1.1;

  private static final List<String> FORMS = List.of("chunk tables", "extension");

  private final StringBuilder page = new StringBuilder(BEGIN);

  private Page() {}

  /**
   * Returns the page.
   *
   * @param results results of the standard set
   * @param async results with {@code synchronous_commit} off
   */
  public static String of(Results results, Results async) {
    Page page = new Page();
    List<Question> all = Question.all();
    for (int i = 0; i < all.size(); i++) {
      page.question(i + 1, all.get(i), results);
    }
    page.end(results, async);
    return page.page.toString();
  }

  private void question(int number, Question question, Results results) {
    List<Map<String, Figure>> columns =
        question.columns().stream().map(c -> c.of(results)).toList();
    Set<String> peers = new LinkedHashSet<>();
    columns.forEach(c -> peers.addAll(c.keySet()));
    page.append("\n## %d. %s\n".formatted(number, question.title()));
    page.append(question.operation()).append("\n\n");
    row(Stream.concat(Stream.of(""), question.columns().stream().map(Column::title)).toList());
    page.append("|---|").append("--:|".repeat(columns.size())).append('\n');
    for (String peer : peers) {
      List<String> cells = new ArrayList<>(List.of(peer));
      for (int i = 0; i < columns.size(); i++) {
        cells.add(cell(columns.get(i), peer, question.columns().get(i).metric()));
      }
      row(cells);
    }
    Set<String> benchmarks =
        question.cells().stream().flatMap(c -> c.benchmarks().stream()).collect(Collectors.toSet());
    page.append("\n%s. %s\n".formatted(scores(results, benchmarks), question.why()));
  }

  private void row(List<String> cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Returns a figure, in bold if it is better than all others by more than the noise. */
  static String cell(Map<String, Figure> column, String peer, Metric metric) {
    Figure figure = column.get(peer);
    if (figure == null) {
      return "";
    }
    String text = metric.text(figure.value(metric));
    boolean best =
        column.size() > 1
            && column.entrySet().stream()
                .allMatch(e -> e.getKey().equals(peer) || figure.beats(e.getValue(), metric));
    return best ? "**" + text + "**" : text;
  }

  private static String scores(Results results, Set<String> benchmarks) {
    return FORMS.stream()
        .map(form -> form + " " + score(results, benchmarks, form))
        .collect(Collectors.joining(", "));
  }

  /** Returns how often a form is better than all peers, neither, or worse than a peer. */
  static String score(Results results, Set<String> benchmarks, String form) {
    int won = 0;
    int tied = 0;
    int lost = 0;
    for (Figure ours : results.figures()) {
      if (!ours.contender().equals(form)
          || !(benchmarks.isEmpty() || benchmarks.contains(ours.benchmark()))) {
        continue;
      }
      List<Figure> others =
          results.figures().stream()
              .filter(f -> f.sameCell(ours))
              .filter(f -> !Column.ours(f.contender()))
              .toList();
      if (others.stream().anyMatch(f -> surely(f, ours))) {
        lost++;
      } else if (!others.isEmpty() && others.stream().allMatch(f -> surely(ours, f))) {
        won++;
      } else if (!others.isEmpty()) {
        tied++;
      }
    }
    return won + " / " + tied + " / " + lost;
  }

  private static boolean surely(Figure better, Figure worse) {
    return better.value(Metric.RATE) > LEAST * worse.value(Metric.RATE)
        && better.beats(worse, Metric.RATE);
  }

  private void end(Results results, Results async) {
    Map<String, String> facts = results.environment();
    page.append("\n## All questions\n")
        .append("- Commits wait for the disk: ")
        .append(scores(results, Set.of()))
        .append(".\n- With `synchronous_commit` off (`benchmarks/results/standard-async`): ")
        .append(scores(async, Set.of()))
        .append(".\n- ")
        .append(
            Stream.of("Commit", "Rounds", "PostgreSQL", "FerretDB", "Processor", "Memory")
                .filter(facts::containsKey)
                .map(name -> name + " " + facts.get(name))
                .collect(Collectors.joining("; ")))
        .append(".\n- ")
        .append(END);
  }
}
