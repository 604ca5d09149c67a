package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.question.Figure.Metric;
import io.pgtoaster.benchmarks.question.Question.Column;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@code docs/benchmarks.md}, with one table for each question, and the table in README. */
final class Page {
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
      - An empty cell was not measured: FerretDB needs up to two minutes for a cell with a large document and ignores the
        position of an insert, and a `bytea` cannot hold 1 GiB. The default compression of this server is lz4.
      - Single measurements, such as values larger than memory, are in `benchmarks/results/once.json`, each with its
        commit and command.
      """;

  /** Smaller differences do not count. */
  private static final double LEAST = 1.1;

  private static final List<String> FORMS = List.of(Names.CHUNK_TABLES, Names.EXTENSION);

  private static final String README_BEGIN = "<!-- written by benchmarks/run docs -->\n";
  private static final String README_END = "<!-- until here -->";
  private static final List<Column> README =
      List.of(
          append("1 byte appended to 1 KiB", "1KiB"),
          append("1 byte appended to 100 MiB", "100MiB"),
          member("`roles[i].title` read, 33,000 roles", "KeyAccess.get"),
          member("`roles[i].title` set, 33,000 roles", "Updates.set"));

  private Page() {}

  private static Column append(String title, String size) {
    return new Column(title, "Appends.append", Metric.TIME, Map.of("size", size, "piece", "1B"));
  }

  private static Column member(String title, String benchmark) {
    Map<String, String> where = Map.of("set", "actors", "key", "any", "elements", "33000");
    return new Column(title, benchmark, Metric.TIME, where);
  }

  /**
   * Returns the page.
   *
   * @param results results of the standard set
   * @param async results with {@code synchronous_commit} off
   */
  static String of(Results results, Results async) {
    StringBuilder page = new StringBuilder(BEGIN);
    List<Question> all = Question.all();
    for (int i = 0; i < all.size(); i++) {
      page.append("\n## %d. %s".formatted(i + 1, question(all.get(i), results)));
    }
    Map<String, String> facts = results.environment();
    String environment =
        Stream.of("Commit", "Rounds", "PostgreSQL", "FerretDB", "Processor", "Memory")
            .filter(facts::containsKey)
            .map(name -> name + " " + facts.get(name))
            .collect(Collectors.joining("; "));
    return page.append(
            """

            ## All questions
            - Commits wait for the disk: %s.
            - With `synchronous_commit` off (`benchmarks/results/standard-async`): %s.
            - %s.
            """
                .formatted(scores(results, Set.of()), scores(async, Set.of()), environment))
        .append(END)
        .toString();
  }

  private static String question(Question question, Results results) {
    List<Column> columns = question.columns();
    List<Map<String, Figure>> figures = columns.stream().map(c -> c.of(results)).toList();
    StringBuilder text = new StringBuilder(question.title() + "\n" + question.operation());
    Stream<String> titles = columns.stream().map(Column::title);
    text.append("\n\n").append(row(Stream.concat(Stream.of(""), titles)));
    text.append("|---|").append("--:|".repeat(columns.size())).append('\n');
    figures.stream()
        .flatMap(column -> column.keySet().stream())
        .distinct()
        .forEach(
            peer -> {
              Stream<String> cells =
                  IntStream.range(0, columns.size())
                      .mapToObj(i -> cell(figures.get(i), peer, columns.get(i).metric()));
              text.append(row(Stream.concat(Stream.of(peer), cells)));
            });
    Set<String> benchmarks =
        question.cells().stream().flatMap(c -> c.benchmarks().stream()).collect(Collectors.toSet());
    return text.append("\n%s. %s\n".formatted(scores(results, benchmarks), question.why()))
        .toString();
  }

  private static String row(Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** Returns a figure, in bold if it is better than all others by more than the noise. */
  private static String cell(Map<String, Figure> column, String peer, Metric metric) {
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
  private static String score(Results results, Set<String> benchmarks, String form) {
    List<Figure> figures = results.figures();
    int won = 0;
    int tied = 0;
    int lost = 0;
    for (Figure ours : figures) {
      if (!ours.contender().equals(form)
          || !(benchmarks.isEmpty() || benchmarks.contains(ours.benchmark()))) {
        continue;
      }
      List<Figure> others =
          figures.stream()
              .filter(f -> f.sameCell(ours))
              .filter(f -> !FORMS.contains(Names.who(f.contender())))
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

  /** Returns the text of README with the table of these results between its two marks. */
  static String readme(String text, Results results) {
    int from = text.indexOf(README_BEGIN) + README_BEGIN.length();
    int to = text.indexOf(README_END, from);
    if (from < README_BEGIN.length() || to < 0) {
      throw new IllegalArgumentException(
          "no place between " + README_BEGIN.strip() + " and " + README_END);
    }
    StringBuilder table =
        new StringBuilder("| | pgtoaster, plain SQL | `bytea`, `jsonb` |\n|---|---|---|\n");
    for (Column line : README) {
      Map<String, Figure> figures = line.of(results);
      figures.keySet().retainAll(List.of(Names.CHUNK_TABLES, Names.BYTEA, Names.JSONB));
      Stream<String> cells =
          figures.keySet().stream().map(peer -> cell(figures, peer, Metric.TIME));
      table.append(row(Stream.concat(Stream.of(line.title()), cells)));
    }
    Map<String, String> facts = results.environment();
    table.append(
        "\nPostgreSQL %s, %s, client and server on one machine, commits wait for the disk; compare the ratios.\n"
            .formatted(
                facts.get("PostgreSQL"),
                Objects.requireNonNull(facts.get("Processor")).replaceFirst(",.*", "")));
    return text.substring(0, from) + table + text.substring(to);
  }
}
