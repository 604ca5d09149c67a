package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All answers as Markdown, for the documentation: a short table for each chart, with the figures of
 * a second set, of which commits do not wait for the disk, below those of the first.
 */
public final class DocsPage {
  private static final String ASYNC = "synchronous_commit off";

  private final Results results;
  private final @Nullable Results async;
  private final String set;
  private final StringBuilder page = new StringBuilder();

  private DocsPage(Results results, @Nullable Results async, String set) {
    this.results = results;
    this.async = async;
    this.set = set;
  }

  /**
   * Makes the page.
   *
   * @param sections of it
   * @param results its figures
   * @param async those with {@code synchronous_commit} off; null if there are none
   * @param set where they are, relative to the project
   */
  public static String of(
      List<Section> sections, Results results, @Nullable Results async, String set) {
    return new DocsPage(results, async, set).write(sections);
  }

  private String write(List<Section> sections) {
    page.append(
        Resources.text("benchmarks.md")
            .replace("{results}", set)
            .replace(
                "{range}",
                results.enoughRounds()
                    ? "of the rounds' medians"
                    : "of all iterations, since there are fewer than three rounds"));
    overview(sections);
    environment();
    sections.forEach(this::section);
    return page.toString();
  }

  private static List<Answer> answers(Section section, Results of) {
    return section.charts().stream().map(c -> Answer.of(c, of)).filter(a -> !a.isEmpty()).toList();
  }

  /** One line for each question: its first chart's. */
  private void overview(List<Section> sections) {
    page.append("| Question | At a glance |\n|---|---|\n");
    for (Section section : sections) {
      List<Answer> answers = answers(section, results);
      if (!answers.isEmpty()) {
        String title = section.number() + ". " + section.title();
        String line =
            answers.stream()
                .filter(a -> !Headline.of(a).isEmpty())
                .findFirst()
                .map(a -> a.chart().title() + ", " + Headline.of(a))
                .orElse("");
        row(List.of("[" + title + "](#" + anchor(title) + ")", line));
      }
    }
    page.append('\n');
  }

  /** As GitHub makes it of a heading. */
  static String anchor(String heading) {
    return heading
        .toLowerCase(java.util.Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private void environment() {
    page.append("| Measured | |\n|---|---|\n");
    results.environment().forEach((name, value) -> row(List.of(name, value)));
    row(List.of("Times", results.spread()));
    if (async != null) {
      async
          .environment()
          .forEach(
              (name, value) -> {
                if (!value.equals(results.environment().get(name))) {
                  row(List.of(name + ", " + ASYNC, value));
                }
              });
    }
  }

  private void row(List<String> cells) {
    page.append('|');
    cells.forEach(c -> page.append(' ').append(c.replace("|", "\\|")).append(" |"));
    page.append('\n');
  }

  private void section(Section section) {
    List<Answer> answers = answers(section, results);
    if (answers.isEmpty()) {
      return;
    }
    page.append("\n## " + section.number() + ". " + section.title() + "\n\n");
    page.append(section.operation() + "\n");
    answers.forEach(this::table);
    losses(section, answers);
    List<String> notes = Notes.of(section, results.footnotes());
    if (!notes.isEmpty()) {
      page.append('\n');
      notes.forEach(n -> page.append("- " + n + "\n"));
    }
  }

  private void table(Answer answer) {
    Chart chart = answer.chart();
    page.append("\n### " + chart.title() + "\n\n");
    Answer other = async == null ? null : Answer.of(chart, async);
    List<String> xs = other == null ? answer.xs() : answer.allXs(other);
    Costs costs = Costs.of(answer);
    List<String> head = new ArrayList<>(List.of(chart.metric().label() + ", by " + chart.axis()));
    xs.forEach(x -> head.add(NumberText.label(x)));
    head.addAll(costs.names());
    row(head);
    page.append("|---|").append("---:|".repeat(head.size() - 1)).append('\n');
    rows(answer, xs, costs);
    references(answer, xs, costs);
    boolean more = xs.size() > answer.xs().size() || chart.metric().isTime();
    if (other != null && !other.isEmpty() && more) {
      List<String> line = new ArrayList<>(List.of("**" + ASYNC + "**"));
      xs.forEach(x -> line.add(""));
      costs.names().forEach(name -> line.add(""));
      row(line);
      rows(other, xs, costs);
    }
  }

  private void rows(Answer answer, List<String> xs, Costs costs) {
    for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
      List<String> cells = new ArrayList<>(List.of(series.getKey()));
      for (String x : xs) {
        Figure figure = series.getValue().get(x);
        cells.add(figure == null ? "–" : figure(answer, x, figure));
      }
      cells.addAll(costs.of(series.getValue()));
      row(cells);
    }
  }

  private static String figure(Answer answer, String x, Figure figure) {
    double value = answer.value(figure);
    Metric.Unit unit = answer.chart().metric().unit();
    String text = NumberText.of(value, unit);
    if (text.equals(best(answer, x)) && !Colours.limit(figure.contender())) {
      text = "**" + text + "**";
    }
    String range = figure.range(answer.chart().metric()).text(unit);
    text += range.isEmpty() ? "" : " [" + range + "]";
    Figure base = answer.base(x, figure);
    if (base == null || base.equals(figure) || answer.value(base) == 0) {
      return text;
    }
    return text + " (" + answer.times(figure, base) + ")";
  }

  /**
   * The best figure of those who compete at an x, as it is written; several may have it. Empty if
   * they do not beat all others, or there are none.
   */
  private static String best(Answer answer, String x) {
    List<Figure> all =
        answer.series().values().stream()
            .filter(points -> points.containsKey(x))
            .map(points -> points.get(x))
            .filter(figure -> !Colours.limit(figure.contender()))
            .toList();
    Metric.Unit unit = answer.chart().metric().unit();
    String best =
        all.stream()
            .reduce((one, other) -> answer.better(other, one) ? other : one)
            .map(figure -> NumberText.of(answer.value(figure), unit))
            .orElse("");
    Map<Boolean, List<Figure>> parts =
        all.stream()
            .collect(
                Collectors.partitioningBy(
                    figure -> NumberText.of(answer.value(figure), unit).equals(best)));
    List<Figure> others = parts.getOrDefault(false, List.of());
    boolean won =
        !others.isEmpty()
            && parts.getOrDefault(true, List.of()).stream()
                .allMatch(f -> others.stream().allMatch(other -> answer.beats(f, other)));
    return won ? best : "";
  }

  private void references(Answer answer, List<String> xs, Costs costs) {
    Map<String, Map<String, Double>> byLabel = new LinkedHashMap<>();
    for (Chart.Reference r : answer.chart().references()) {
      if (xs.contains(r.x())) {
        byLabel.computeIfAbsent(r.label(), l -> new LinkedHashMap<>()).put(r.x(), r.value());
      }
    }
    byLabel.forEach(
        (label, values) -> {
          List<String> cells = new ArrayList<>(List.of("*" + label + "*"));
          for (String x : xs) {
            Double value = values.get(x);
            cells.add(
                value == null
                    ? ""
                    : "*" + NumberText.of(value, answer.chart().metric().unit()) + "*");
          }
          costs.names().forEach(name -> cells.add(""));
          row(cells);
        });
  }

  private void losses(Section section, List<Answer> answers) {
    List<List<String>> rows = new ArrayList<>();
    List<String> ties = new ArrayList<>();
    answers.forEach(a -> losses(a, "", rows, ties));
    if (async != null) {
      for (Chart chart : section.charts()) {
        Answer other = Answer.of(chart, async);
        // What is no time is the same in both sets, but the second may have more of it.
        boolean both = chart.metric().isTime();
        List<String> known = both ? List.of() : Answer.of(chart, results).xs();
        losses(other.without(known), ", " + ASYNC, rows, ties);
      }
    }
    page.append("\n### Where we lose, question " + section.number() + "\n\n");
    if (rows.isEmpty()) {
      page.append("Nowhere in this set.\n");
      ties(ties);
      return;
    }
    page.append(
        "By more than a tenth and beyond the noise, in one form or both; figures are of where it is"
            + " worst:\n\n");
    row(List.of("What", "Where", "Winner", "Worst at", "Theirs", "Chunk tables", "Extension"));
    page.append("|---|---|---|---|---:|---:|---:|\n");
    rows.forEach(this::row);
    page.append("\nWhy:\n\n");
    section.why().forEach(line -> page.append(line + "\n"));
    ties(ties);
  }

  private void ties(List<String> ties) {
    if (!ties.isEmpty()) {
      page.append(
              "\n"
                  + "Ties, in which somebody seems better by more than a tenth and the ranges"
                  + " overlap: ")
          .append(String.join("; ", ties))
          .append(".\n");
    }
  }

  private static void losses(
      Answer answer, String suffix, List<List<String>> rows, List<String> ties) {
    for (Losses.Loss tie : Losses.ties(answer)) {
      ties.add(tie.winner() + " at " + where(tie) + " of *" + tie.chart().title() + suffix + "*");
    }
    for (Losses.Loss loss : Losses.of(answer)) {
      Metric.Unit unit = loss.chart().metric().unit();
      rows.add(
          List.of(
              loss.chart().title() + suffix,
              where(loss),
              loss.winner(),
              NumberText.label(loss.worst()),
              NumberText.of(loss.theirs(), unit),
              ours(loss, loss.plain()),
              ours(loss, loss.extension())));
    }
  }

  private static String where(Losses.Loss loss) {
    return loss.chart().axis()
        + " "
        + String.join(", ", loss.xs().stream().map(NumberText::label).toList());
  }

  private static String ours(Losses.Loss loss, double ours) {
    return Double.isNaN(ours)
        ? "–"
        : NumberText.of(ours, loss.chart().metric().unit())
            + " ("
            + NumberText.times(loss.times(ours))
            + ")";
  }
}
