package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All answers as Markdown, for the documentation. */
public final class DocsPage {
  private final Results results;
  private final String set;
  private final StringBuilder page = new StringBuilder();

  private DocsPage(Results results, String set) {
    this.results = results;
    this.set = set;
  }

  /**
   * Makes the page.
   *
   * @param sections of it
   * @param results its figures
   * @param set where they are, relative to the project
   */
  public static String of(List<Section> sections, Results results, String set) {
    return new DocsPage(results, set).write(sections);
  }

  private String write(List<Section> sections) {
    page.append("# Benchmarks\n\n<!-- Written by `benchmarks/run docs`: do not edit. -->\n\n")
        .append("Figures are medians of the set `")
        .append(set)
        .append(
            """
            `, in brackets how many times that of chunk tables, which is this library in plain SQL.
            *extension* is this library with its server extension. *bare table* and *column* do less than
            what is asked: they show the limit, and do not compete. Look at ratios: the machine is what it is.

            """);
    page.append("| | |\n|---|---|\n");
    results
        .environment()
        .forEach((name, value) -> page.append("| " + name + " | " + cell(value) + " |\n"));
    for (Section section : sections) {
      section(section);
    }
    return page.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private void section(Section section) {
    List<Answer> answers =
        section.charts().stream()
            .map(c -> Answer.of(c, results))
            .filter(a -> !a.isEmpty())
            .toList();
    if (answers.isEmpty()) {
      return;
    }
    page.append("\n## " + section.number() + ". " + section.title() + "\n\n");
    page.append(section.operation() + "\n");
    answers.forEach(this::table);
    losses(section, answers);
    List<String> notes = Notes.of(section, results.footnotes());
    if (!notes.isEmpty()) {
      page.append("\nNot measured:\n\n");
      notes.forEach(n -> page.append("- " + n + "\n"));
    }
  }

  private void table(Answer answer) {
    Chart chart = answer.chart();
    page.append("\n### " + chart.title() + "\n\n| " + chart.metric().label() + ", by " + chart.x());
    answer.xs().forEach(x -> page.append(" | " + cell(NumberText.label(x))));
    page.append(" |\n|---").append("|---:".repeat(answer.xs().size())).append("|\n");
    Map<String, Figure> base = answer.series().getOrDefault("chunk tables", Map.of());
    for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
      page.append("| " + cell(series.getKey()));
      for (String x : answer.xs()) {
        page.append(" | ").append(figure(answer, series.getValue().get(x), base.get(x)));
      }
      page.append(" |\n");
    }
    for (Chart.Reference r : chart.references()) {
      page.append(
          "\n%s at %s: %s.\n"
              .formatted(r.label(), r.x(), NumberText.of(r.value(), chart.metric().unit())));
    }
  }

  private static String figure(
      Answer answer,
      @org.jspecify.annotations.Nullable Figure figure,
      @org.jspecify.annotations.Nullable Figure base) {
    if (figure == null) {
      return "–";
    }
    double value = answer.value(figure);
    String text = NumberText.of(value, answer.chart().metric().unit());
    if (base == null || base.equals(figure) || answer.value(base) == 0) {
      return text;
    }
    return text + " (" + NumberText.times(value / answer.value(base)) + ")";
  }

  private void losses(Section section, List<Answer> answers) {
    List<String> lines = new ArrayList<>();
    for (Answer answer : answers) {
      for (Losses.Loss loss : Losses.of(answer)) {
        Metric.Unit unit = loss.chart().metric().unit();
        lines.add(
            "%s, %s %s: %s has %s, this library %s (%s)"
                .formatted(
                    loss.chart().title(),
                    loss.chart().x(),
                    loss.x(),
                    loss.winner(),
                    NumberText.of(loss.theirs(), unit),
                    NumberText.of(loss.ours(), unit),
                    NumberText.times(loss.factor())));
      }
    }
    page.append("\n**Where we lose.** ");
    if (lines.isEmpty()) {
      page.append("Nowhere in this set.\n");
      return;
    }
    page.append("The worst cell of each picture, against the better of our two:\n\n");
    lines.forEach(line -> page.append("- " + line + "\n"));
    page.append("\nWhy:\n\n");
    section.why().forEach(line -> page.append(line + "\n"));
  }
}
