package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Answer;
import io.pgtoaster.benchmarks.report.chart.BarChart;
import io.pgtoaster.benchmarks.report.chart.Chart;
import io.pgtoaster.benchmarks.report.chart.Colours;
import io.pgtoaster.benchmarks.report.chart.LineChart;
import io.pgtoaster.benchmarks.report.chart.Resources;
import io.pgtoaster.benchmarks.report.chart.Svg;
import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.Metric;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All answers on one page, which needs nothing else to be opened. */
public final class HtmlReport {
  /** Length of a fact that takes a line of its own. */
  private static final int LONG = 80;

  private final Results results;
  private final StringBuilder page = new StringBuilder();

  private HtmlReport(Results results) {
    this.results = results;
  }

  /** Makes the page. */
  public static String of(List<Question> questions, Results results) {
    return new HtmlReport(results).write(questions);
  }

  private String write(List<Question> questions) {
    page.append("<!doctype html>\n<html lang='en'>\n<meta charset='utf-8'>\n")
        .append("<meta name='viewport' content='width=device-width'>\n")
        .append("<title>pgtoaster benchmarks</title>\n<style>\n:root{color-scheme:light dark;")
        .append(Colours.variables(false))
        .append("}\n@media (prefers-color-scheme:dark){:root{")
        .append(Colours.variables(true))
        .append("}}\n")
        .append(Colours.rules())
        .append(Resources.text("chart.css"))
        .append(Resources.text("report.css"))
        .append("</style>\n<header><h1>pgtoaster benchmarks</h1>\n");
    environment();
    page.append("<nav>");
    for (Question question : questions) {
      if (measured(question)) {
        page.append(
            "<a href='#q%d'>%s</a>".formatted(question.number(), Svg.escaped(question.name())));
      }
    }
    page.append("</nav></header>\n<main>\n");
    questions.stream().filter(this::measured).forEach(this::question);
    return page.append("</main>\n</html>\n").toString();
  }

  private boolean measured(Question question) {
    return question.charts().stream().anyMatch(c -> !Answer.of(c, results).isEmpty());
  }

  private void environment() {
    page.append(
        "<p class='lead'>Figures are medians, with whiskers from the least to the most where they moved; ≈ is a tie, where"
            + " two ranges overlap. A hollow mark is a figure of the sources, from other machines."
            + " Grey contenders do less than what is asked: they show the limit. Bars that span"
            + " decades are dots on a log axis.</p>\n"
            + "<dl>");
    results.environment().forEach(this::fact);
    fact("Times", results.spread());
    page.append("</dl>\n");
  }

  private void fact(String name, String value) {
    page.append(
        "<div%s><dt>%s</dt><dd>%s</dd></div>"
            .formatted(
                value.length() > LONG ? " class='long'" : "",
                Svg.escaped(name),
                Svg.escaped(value)));
  }

  private void question(Question question) {
    page.append(
        "<section id='q%d'>\n<h2><span>%d</span> %s</h2>\n<p class='operation'>%s</p>\n"
            .formatted(
                question.number(),
                question.number(),
                Svg.escaped(question.title()),
                Markdown.html(question.operation())));
    page.append("<div class='charts'>\n");
    for (Chart chart : question.charts()) {
      Answer answer = Answer.of(chart, results);
      if (!answer.isEmpty()) {
        figure(answer);
      }
    }
    page.append("</div>\n");
    losses(question);
    List<String> notes = Notes.of(question, results.footnotes());
    if (!notes.isEmpty()) {
      page.append("<h3>Not measured</h3>\n<ul class='notes'>");
      notes.forEach(n -> page.append("<li>").append(Svg.escaped(n)).append("</li>"));
      page.append("</ul>\n");
    }
    page.append("</section>\n");
  }

  private void losses(Question question) {
    StringBuilder rows = new StringBuilder();
    List<String> ties = new ArrayList<>();
    for (Chart chart : question.charts()) {
      Answer answer = Answer.of(chart, results);
      for (Losses.Loss tie : Losses.ties(answer)) {
        ties.add(
            "<b>%s</b>: %s at %s"
                .formatted(Svg.escaped(chart.title()), Svg.escaped(tie.winner()), at(tie)));
      }
      for (Losses.Loss loss : Losses.of(answer)) {
        rows.append(
            "<tr><th>%s<td>%s<td>%s<td>%s<td>%s<td>%s%n"
                .formatted(
                    Svg.escaped(chart.title()),
                    Svg.escaped(loss.winner()),
                    at(loss),
                    NumberText.of(loss.theirs(), chart.metric().unit()),
                    ours(loss, loss.plain()),
                    ours(loss, loss.extension())));
      }
    }
    page.append("<h3>Where it loses</h3>\n");
    if (rows.isEmpty()) {
      page.append("<p class='operation'>Nowhere in this set.</p>\n");
    } else {
      page.append(
              "<p class='operation'>By more than a tenth and beyond the noise; figures are of where"
                  + " it is worst.</p>\n<div class='wide'><table class='losses'><tr><th>What<th>Winner<th>At"
                  + "<th>Theirs<th>Chunk tables<th>Extension\n")
          .append(rows)
          .append("</table></div>\n<ul class='notes'>");
      question.why().forEach(line -> page.append("<li>").append(Markdown.html(line.substring(2))));
      page.append("</ul>\n");
    }
    if (!ties.isEmpty()) {
      page.append(
              "<details class='ties'><summary>ties: somebody seems better by more than a tenth, and ranges overlap (")
          .append(ties.size())
          .append(")</summary><ul class='notes'>");
      ties.forEach(tie -> page.append("<li>").append(tie));
      page.append("</ul></details>\n");
    }
  }

  private static String at(Losses.Loss loss) {
    return Svg.escaped(String.join(", ", loss.xs().stream().map(NumberText::label).toList()));
  }

  private static String ours(Losses.Loss loss, double ours) {
    return Double.isNaN(ours)
        ? "–"
        : NumberText.of(ours, loss.chart().metric().unit())
            + " <i>"
            + NumberText.times(loss.times(ours))
            + "</i>";
  }

  private void figure(Answer answer) {
    Chart chart = answer.chart();
    page.append(
        "<figure>\n<figcaption><b>%s</b><span>%s%s</span><p>%s</p></figcaption>\n"
            .formatted(
                Svg.escaped(chart.title()),
                chart.metric().label(),
                chart.metric().lessIsBetter() ? ", less is better" : ", more is better",
                Svg.escaped(Headline.of(answer))));
    boolean bars = chart.bars() || answer.xs().size() < 2;
    if (!bars) {
      legend(answer);
    }
    page.append(bars ? BarChart.of(answer) : LineChart.of(answer));
    table(answer);
    page.append("</figure>\n");
  }

  /**
   * Writes a legend for narrow screens, where the names at the ends of the lines are out of sight.
   */
  private void legend(Answer answer) {
    page.append("<p class='legend'>");
    for (String name : answer.series().keySet()) {
      page.append("<span class='%s'>%s</span> ".formatted(Colours.css(name), Svg.escaped(name)));
    }
    page.append("</p>\n");
  }

  private void table(Answer answer) {
    Chart chart = answer.chart();
    page.append("<details><summary>figures</summary><table><tr><th>")
        .append(Svg.escaped(chart.axis()));
    answer.xs().forEach(x -> page.append("<th>").append(Svg.escaped(NumberText.label(x))));
    page.append('\n');
    for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
      page.append("<tr><th>").append(Svg.escaped(series.getKey()));
      for (String x : answer.xs()) {
        Figure figure = series.getValue().get(x);
        page.append("<td>");
        if (figure != null) {
          page.append(text(figure, chart.metric()));
        }
      }
      page.append('\n');
    }
    page.append("</table>\n");
    if (chart.metric().isTime()) {
      costs(answer);
    }
    page.append("</details>\n");
  }

  /** What each operation cost besides time: a row for each figure. */
  private void costs(Answer answer) {
    List<Metric> metrics =
        answer.xs().stream().flatMap(x -> Costs.measured(answer, x).stream()).distinct().toList();
    page.append("<table><tr><th>").append(Svg.escaped(answer.chart().axis())).append("<th>");
    metrics.forEach(m -> page.append("<th>").append(Svg.escaped(m.shortLabel())));
    page.append('\n');
    for (String x : answer.xs()) {
      for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
        Figure figure = series.getValue().get(x);
        if (figure != null) {
          page.append("<tr><th>").append(Svg.escaped(NumberText.label(x)));
          page.append("<th>").append(Svg.escaped(series.getKey()));
          metrics.forEach(m -> page.append("<td>").append(text(figure, m)));
          page.append('\n');
        }
      }
    }
    page.append("</table>\n");
  }

  /** A figure and how far it moved. */
  private static String text(Figure figure, Metric metric) {
    String range = figure.range(metric).text(metric.unit());
    return NumberText.of(figure.value(metric), metric.unit())
        + (range.isEmpty() ? "" : " <i>" + range + "</i>");
  }
}
