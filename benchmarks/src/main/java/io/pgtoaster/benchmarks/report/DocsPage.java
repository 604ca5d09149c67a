package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Answer;
import io.pgtoaster.benchmarks.report.chart.Chart;
import io.pgtoaster.benchmarks.report.chart.Colours;
import io.pgtoaster.benchmarks.report.chart.Resources;
import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.Metric;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answers as Markdown, for the documentation: short tables of what the questions want shown,
 * with the figures of a second set, of which commits do not wait for the disk, beside those of the
 * first, and where this library loses. The rest is in {@link HtmlReport}.
 */
public final class DocsPage {
  private static final String ASYNC = "synchronous_commit off";

  private final Results results;
  private final @Nullable Results async;
  private final String set;
  private final String once;
  private final StringBuilder page = new StringBuilder();

  private DocsPage(Results results, @Nullable Results async, String set, String once) {
    this.results = results;
    this.async = async;
    this.set = set;
    this.once = once;
  }

  /**
   * Makes the page.
   *
   * @param questions of it
   * @param results its figures
   * @param async those with {@code synchronous_commit} off; null if there are none
   * @param set where they are, relative to the project
   * @param once a part of it on what was measured once; empty if there is none
   */
  public static String of(
      List<Question> questions, Results results, @Nullable Results async, String set, String once) {
    return new DocsPage(results, async, set, once).write(questions);
  }

  private String write(List<Question> questions) {
    page.append(
        Resources.text("benchmarks.md")
            .replace("{results}", set)
            .replace(
                "{range}",
                results.enoughRounds()
                    ? "of the rounds' medians"
                    : "of all iterations, since there are fewer than three rounds"));
    overview(questions);
    questions.forEach(this::question);
    page.append(once);
    environment();
    return page.toString();
  }

  private static List<Answer> answers(Question question, Results of) {
    return question.charts().stream().map(c -> Answer.of(c, of)).filter(a -> !a.isEmpty()).toList();
  }

  /** One line for each question: its first chart's, and how often this library wins and loses. */
  private void overview(List<Question> questions) {
    page.append("| Question | At a glance | Chunk tables | Extension |\n|---|---|---:|---:|\n");
    Score plain = Score.NONE;
    Score extension = Score.NONE;
    for (Question question : questions) {
      List<Answer> answers = answers(question, results);
      if (!answers.isEmpty()) {
        String title = question.number() + ". " + question.title();
        String line =
            answers.stream()
                .filter(a -> !Headline.of(a).isEmpty())
                .findFirst()
                .map(a -> a.chart().title() + ", " + Headline.of(a))
                .orElse("");
        Score one = score(question, answers, "chunk tables");
        Score other = score(question, answers, "extension");
        row(List.of("[" + title + "](#" + anchor(title) + ")", line, one.text(), other.text()));
        plain = plain.plus(one);
        extension = extension.plus(other);
      }
    }
    row(List.of("All of them", "", plain.text(), extension.text()));
  }

  private static Score score(Question question, List<Answer> answers, String form) {
    return answers.stream()
        .filter(a -> a.chart().metric().isTime() && !told(question, a.chart()))
        .map(a -> Score.of(a, form))
        .reduce(Score.NONE, Score::plus);
  }

  /** Whether a chart of times says the same as one of rates. */
  private static boolean told(Question question, Chart chart) {
    return chart.metric() != Metric.TIME
        && chart.metric().isTime()
        && question.charts().stream()
            .anyMatch(
                c ->
                    c.metric() == Metric.TIME
                        && c.benchmark().equals(chart.benchmark())
                        && c.where().equals(chart.where()));
  }

  /** The anchor that GitHub makes of a heading. */
  static String anchor(String heading) {
    return heading
        .toLowerCase(java.util.Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private void environment() {
    page.append("\n## How it was measured\n\n")
        .append(Resources.text("measured.md").strip().replace('\n', ' '))
        .append('\n');
    page.append('\n');
    facts("With commits that wait for the disk", results, Map.of());
    page.append("- Times: " + results.spread() + ".\n");
    if (async != null) {
      facts("With " + ASYNC + ", where it differs", async, results.environment());
    }
  }

  /** Writes a line with the facts that another set has not told. */
  private void facts(String title, Results of, Map<String, String> told) {
    page.append("- " + title + ": ")
        .append(
            of.environment().entrySet().stream()
                .filter(fact -> !fact.getValue().equals(told.get(fact.getKey())))
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .collect(Collectors.joining("; ")))
        .append(".\n");
  }

  private void row(List<String> cells) {
    page.append('|');
    cells.forEach(c -> page.append(' ').append(c.replace("|", "\\|")).append(" |"));
    page.append('\n');
  }

  private void question(Question question) {
    List<Answer> answers = answers(question, results);
    if (answers.isEmpty()) {
      return;
    }
    page.append("\n## " + question.number() + ". " + question.title() + "\n\n");
    page.append(question.operation() + "\n");
    answers.forEach(this::table);
    losses(question, answers);
  }

  /** At the values of x that the chart wants shown, each peer in its strongest form. */
  private void table(Answer whole) {
    Chart chart = whole.chart();
    Answer answer = whole.strongest().at(chart.shown());
    if (answer.isEmpty()) {
      return;
    }
    page.append('\n');
    Costs costs = Costs.of(answer);
    Answer other = async == null ? null : Answer.of(chart, async).strongest().at(answer.xs());
    boolean both = other != null && !other.isEmpty() && chart.metric().isTime();
    String at =
        other == null || !both || other.xs().contains(costs.x())
            ? costs.x()
            : other.xs().get(other.xs().size() - 1);
    List<String> head =
        new ArrayList<>(
            List.of("**" + chart.title() + "**" + unit(chart) + ", by " + chart.axis()));
    answer.xs().forEach(x -> head.add(NumberText.label(x)));
    if (both) {
      head.add(NumberText.label(at) + ": " + ASYNC);
    }
    head.addAll(costs.names());
    row(head);
    page.append("|---|").append("---:|".repeat(head.size() - 1)).append('\n');
    answer
        .series()
        .forEach(
            (name, points) -> {
              List<String> cells = new ArrayList<>(List.of(name));
              answer.xs().forEach(x -> cells.add(figure(answer, x, points.get(x))));
              if (other != null && both) {
                Map<String, Figure> same = other.series().getOrDefault(name, Map.of());
                cells.add(figure(other, at, same.get(at)));
              }
              cells.addAll(costs.of(points));
              row(cells);
            });
    references(answer, head.size());
  }

  /** Unless the title has it. */
  private static String unit(Chart chart) {
    return chart.metric() == Metric.TIME ? "" : ": " + chart.metric().label();
  }

  private static String figure(Answer answer, String x, @Nullable Figure figure) {
    if (figure == null) {
      return "–";
    }
    double value = answer.value(figure);
    Metric.Unit unit = answer.chart().metric().unit();
    String text = NumberText.of(value, unit);
    if (text.equals(best(answer, x)) && !Colours.limit(figure.contender())) {
      text = "**" + text + "**";
    }
    text += figure.range(answer.chart().metric()).behind(unit);
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

  private void references(Answer answer, int columns) {
    Map<String, Map<String, Double>> byLabel = new LinkedHashMap<>();
    for (Chart.Reference r : answer.chart().references()) {
      if (answer.xs().contains(r.x())) {
        byLabel.computeIfAbsent(r.label(), l -> new LinkedHashMap<>()).put(r.x(), r.value());
      }
    }
    byLabel.forEach(
        (label, values) -> {
          List<String> cells = new ArrayList<>(List.of("*" + label + "*"));
          for (String x : answer.xs()) {
            Double value = values.get(x);
            cells.add(
                value == null
                    ? ""
                    : "*" + NumberText.of(value, answer.chart().metric().unit()) + "*");
          }
          while (cells.size() < columns) {
            cells.add("");
          }
          row(cells);
        });
  }

  /** Writes the losses of all charts, also of those that are only in the report. */
  private void losses(Question question, List<Answer> answers) {
    Map<String, List<String>> first = new LinkedHashMap<>();
    Map<String, List<String>> second = new LinkedHashMap<>();
    int ties = 0;
    for (Answer answer : answers) {
      ties += losses(question, answer, first);
    }
    if (async != null) {
      for (Chart chart : question.charts()) {
        // What is no time is the same in both sets, but the second may have more of it.
        List<String> known = chart.metric().isTime() ? List.of() : Answer.of(chart, results).xs();
        ties += losses(question, Answer.of(chart, async).without(known), second);
      }
    }
    page.append("\n### Where it loses, question " + question.number() + "\n\n");
    Set<String> titles = new LinkedHashSet<>(first.keySet());
    titles.addAll(second.keySet());
    if (titles.isEmpty()) {
      page.append("Nowhere in these sets" + ties(ties) + ".\n");
      return;
    }
    page.append(
        "Who wins by most, how many times at worst (chunk tables / extension)"
            + ties(ties)
            + ":\n\n");
    row(second.isEmpty() ? List.of("What", "Who") : List.of("What", "Who", ASYNC));
    page.append(second.isEmpty() ? "|---|---|\n" : "|---|---|---|\n");
    for (String title : titles) {
      List<String> cells = new ArrayList<>(List.of(title, words(first, title)));
      if (!second.isEmpty()) {
        cells.add(words(second, title));
      }
      row(cells);
    }
    page.append('\n');
    question.why().forEach(line -> page.append(line + "\n"));
  }

  private static String words(Map<String, List<String>> byChart, String title) {
    return String.join("; ", byChart.getOrDefault(title, List.of()));
  }

  private static String ties(int count) {
    return count == 0 ? "" : ", beside " + count + (count == 1 ? " tie" : " ties");
  }

  /**
   * Adds who wins a chart by most, unless a chart of times says the same, or it is of what stands
   * behind the times; returns how many ties it has.
   */
  private static int losses(Question question, Answer answer, Map<String, List<String>> byChart) {
    Chart chart = answer.chart();
    if (told(question, chart) || !(chart.metric().isTime() || isFirst(question, chart))) {
      return 0;
    }
    List<Losses.Loss> losses = Losses.of(answer);
    if (!losses.isEmpty()) {
      byChart
          .computeIfAbsent(chart.title(), title -> new ArrayList<>())
          .add(words(losses.get(0), losses.size() - 1));
    }
    return Losses.ties(answer).size();
  }

  /** Whether a chart is the first of what it asks, and no cost of another. */
  private static boolean isFirst(Question question, Chart chart) {
    return question.charts().stream()
        .filter(c -> c.benchmark().equals(chart.benchmark()) && c.where().equals(chart.where()))
        .findFirst()
        .filter(chart::equals)
        .isPresent();
  }

  private static String words(Losses.Loss loss, int more) {
    return "%s at %s (%s / %s)%s"
        .formatted(
            loss.winner(),
            where(loss),
            times(loss, loss.plain()),
            times(loss, loss.extension()),
            more == 0 ? "" : ", and " + more + " more");
  }

  private static String times(Losses.Loss loss, double ours) {
    return Double.isNaN(ours) ? "–" : NumberText.times(loss.times(ours));
  }

  private static String where(Losses.Loss loss) {
    return String.join(", ", loss.xs().stream().map(NumberText::label).toList());
  }
}
