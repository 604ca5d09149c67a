package io.pgtoaster.cli.report;

import io.pgtoaster.cli.demo.DemoResult;
import io.pgtoaster.cli.demo.DocumentResult;
import io.pgtoaster.cli.demo.StreamResult;
import io.pgtoaster.cli.terminal.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One page that needs nothing else: text, charts as inline SVG, light and dark. */
public final class HtmlReport {
  private final DemoResult result;

  /**
   * Prepares the page.
   *
   * @param result what was found
   */
  public HtmlReport(DemoResult result) {
    this.result = result;
  }

  @Override
  public String toString() {
    return resource("report.html")
        .replace("{{style}}", resource("report.css"))
        .replace("{{summary}}", summary())
        .replace("{{legend}}", legend(result.titles()))
        .replace("{{append}}", new BarChart(result.titles(), result.appendRate()).toString())
        .replace("{{read}}", new BarChart(result.titles(), result.readRate()).toString())
        .replace("{{millis}}", small(result.appendMillis(), "ms"))
        .replace("{{wal}}", small(result.appendWalBytes(), "bytes"))
        .replace("{{documents}}", documents())
        .replace("{{notes}}", notes())
        .replace("{{environment}}", environment());
  }

  private String small(Map<String, Map<String, Double>> figures, String unit) {
    return figures.isEmpty() ? "<p>Not measured.</p>" : chart(result.titles(), figures, unit);
  }

  private static String chart(
      Map<String, String> titles, Map<String, Map<String, Double>> figures, String unit) {
    return new LogChart(titles, figures, unit) + table(titles, figures, unit);
  }

  private String documents() {
    DocumentResult documents = result.documents();
    if (documents.millis().isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder(resource("documents.html"));
    documents
        .millis()
        .forEach((task, figures) -> html.append(figure(documents, task, "time", figures, "ms")));
    documents
        .walBytes()
        .forEach(
            (task, figures) ->
                html.append(figure(documents, task, "write-ahead log", figures, "bytes")));
    return html.append("</div>")
        .toString()
        .replace("{{document-legend}}", legend(documents.titles()));
  }

  private static String figure(
      DocumentResult documents,
      String task,
      String what,
      Map<String, Map<String, Double>> figures,
      String unit) {
    String title = documents.measures().getOrDefault(task, task);
    return "<figure><h2>"
        + Xml.text(title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1))
        + ": "
        + what
        + "</h2><p>by size of the document; logarithmic, less is better</p>"
        + chart(documents.titles(), figures, unit)
        + "</figure>\n";
  }

  private String summary() {
    StreamResult s = result.stream();
    return card(ByteSize.format(s.bytes()), "of " + Xml.text(file()))
        + card(ByteSize.rate(s.bytes(), s.appendNanos()), "appended, while followed")
        + card(
            String.format(Locale.ROOT, "%.0f ms", s.followLagMillis()),
            "until the follower had the last byte")
        + card(ByteSize.rate(s.bytes(), s.readNanos()), "read back")
        + card(s.equal() ? "equal" : "DIFFERENT", "SHA-256 of what came back");
  }

  private String file() {
    return String.valueOf(result.environment().get("file"));
  }

  private static String card(String figure, String label) {
    return "<div class=\"card\"><strong>" + figure + "</strong><span>" + label + "</span></div>\n";
  }

  private static String legend(Map<String, String> titles) {
    StringBuilder html = new StringBuilder();
    int number = 0;
    for (String title : titles.values()) {
      html.append("<li><i class=\"s")
          .append(number++)
          .append("\"></i>")
          .append(Xml.text(title))
          .append("</li>");
    }
    return html.toString();
  }

  private static String table(
      Map<String, String> titles, Map<String, Map<String, Double>> figures, String unit) {
    StringBuilder html = new StringBuilder("<details><summary>Figures</summary><table><tr><th>");
    html.append(unit).append("</th>");
    Map<String, Double> first = figures.values().iterator().next();
    first.keySet().forEach(size -> html.append("<th>").append(size).append("</th>"));
    html.append("</tr>");
    figures.forEach(
        (name, row) -> {
          html.append("<tr><td>").append(Xml.text(titles.getOrDefault(name, name))).append("</td>");
          for (String size : first.keySet()) {
            @Nullable Double value = row.get(size);
            html.append("<td>").append(value == null ? "–" : Xml.number(value)).append("</td>");
          }
          html.append("</tr>");
        });
    return html.append("</table></details>").toString();
  }

  private String notes() {
    StringBuilder html = new StringBuilder();
    result.notes().forEach(n -> html.append("<li>").append(Xml.text(n)).append("</li>\n"));
    return html.toString();
  }

  private String environment() {
    StringBuilder html = new StringBuilder();
    result
        .environment()
        .forEach(
            (name, value) ->
                html.append("<tr><td>")
                    .append(Xml.text(name.replace('_', ' ')))
                    .append("</td><td>")
                    .append(Xml.text(String.valueOf(value)))
                    .append("</td></tr>\n"));
    return html.toString();
  }

  private static String resource(String name) {
    try (@Nullable InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
