package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Answer;
import io.pgtoaster.benchmarks.report.chart.Chart;
import io.pgtoaster.benchmarks.report.chart.Colours;
import io.pgtoaster.benchmarks.report.chart.LineChart;
import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.Metric;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the front page of the project shows of the results: a table, a picture, and a sentence. */
public final class Readme {
  private static final String BEGIN = "<!-- written by benchmarks/run docs -->\n";
  private static final String END = "<!-- until here -->";
  private static final List<String> OURS = List.of("chunk tables", "extension");
  private static final List<String> COLUMNS = List.of("bytea", "jsonb", "large object");

  private static final Chart APPEND =
      Chart.times(
          "Time of appending 1 byte",
          "Appends.append",
          "size",
          "value size",
          Map.of("piece", "1B"));
  private static final Chart PIECES =
      Chart.times("", "Appends.append", "piece", "", Map.of("size", "100MB"));
  private static final Chart RANGES = Chart.times("", "Streams.range", "connections", "", Map.of());
  private static final Map<String, String> MEMBER = Map.of("set", "actors", "key", "any");
  private static final Chart READ = Chart.times("", "KeyAccess.get", "elements", "", MEMBER);
  private static final Chart SET = Chart.times("", "Updates.set", "elements", "", MEMBER);

  /** A line of the table: an x of a chart, and what is done there. */
  private record Line(String words, Chart chart, String x) {}

  private static final List<Line> LINES =
      List.of(
          new Line("1 byte appended to 1 KB", APPEND, "1KB"),
          new Line("1 byte appended to 100 MB", APPEND, "100MB"),
          new Line("4,000 bytes appended to 100 MB", PIECES, "4000B"),
          new Line("4 KB read somewhere in a large value", RANGES, "1"),
          new Line("`roles[i].title` read, 50 roles", READ, "50"),
          new Line("`roles[i].title` read, 33,000 roles", READ, "33000"),
          new Line("`roles[i].title` set, 50 roles", SET, "50"),
          new Line("`roles[i].title` set, 33,000 roles", SET, "33000"));

  private final Results results;

  private Readme(Results results) {
    this.results = results;
  }

  /** The same text with what the results give between its two marks. */
  public static String of(String text, Results results) {
    int from = text.indexOf(BEGIN) + BEGIN.length();
    int to = text.indexOf(END, from);
    if (from < BEGIN.length() || to < 0) {
      throw new IllegalArgumentException("no place between " + BEGIN.strip() + " and " + END);
    }
    return text.substring(0, from) + new Readme(results).write() + text.substring(to);
  }

  /** A byte appended to values of all sizes, as a picture; limits are not in it. */
  public static String picture(Results results) {
    Answer answer = Answer.of(APPEND, results).strongest();
    answer.series().keySet().removeIf(Colours::limit);
    return LineChart.file(answer);
  }

  private String write() {
    List<Line> lines = LINES.stream().filter(l -> !answer(l).isEmpty()).toList();
    StringBuilder text = new StringBuilder();
    text.append(
        "| | pgtoaster, plain SQL | with the extension | `bytea`, `jsonb` | large object |\n");
    text.append("|---|---|---|---|---|\n");
    for (Line line : lines) {
      Answer answer = answer(line);
      text.append("| ").append(line.words());
      for (List<String> names :
          List.of(
              List.of("chunk tables"),
              List.of("extension"),
              COLUMNS.subList(0, 2),
              COLUMNS.subList(2, 3))) {
        text.append(" | ").append(cell(answer, line.x(), names));
      }
      text.append(" |\n");
    }
    return text.append('\n').append(crossovers()).append('\n').append(where()).toString();
  }

  private Answer answer(Line line) {
    return Answer.of(line.chart(), results).strongest().at(List.of(line.x()));
  }

  private static @Nullable Figure find(Answer answer, String x, List<String> names) {
    return answer.series().entrySet().stream()
        .filter(s -> names.contains(s.getKey().replace(Answer.BEST, "")))
        .map(Map.Entry::getValue)
        .filter(points -> points.containsKey(x))
        .map(points -> points.get(x))
        .findFirst()
        .orElse(null);
  }

  private static String cell(Answer answer, String x, List<String> names) {
    Figure figure = find(answer, x, names);
    if (figure == null) {
      return "";
    }
    String time = NumberText.of(answer.value(figure), Metric.TIME.unit());
    boolean best =
        Stream.concat(OURS.stream(), COLUMNS.stream())
            .filter(name -> !names.contains(name))
            .map(name -> Optional.ofNullable(find(answer, x, List.of(name))))
            .allMatch(other -> other.map(o -> answer.beats(figure, o)).orElse(true));
    return (best ? "**" + time + "**" : time)
        + figure.range(Metric.TIME).behind(Metric.TIME.unit())
        + Stream.of(Metric.PAGES, Metric.WAL, Metric.TRIPS)
            .filter(
                m -> figure.value(m) > (m == Metric.TRIPS ? 1.5 : 0.5)) // one goes without saying
            .map(m -> ", " + NumberText.of(figure.value(m), m.unit()) + word(m))
            .collect(Collectors.joining());
  }

  private static String word(Metric metric) {
    return switch (metric) {
      case PAGES -> " pages";
      case WAL -> " of WAL";
      default -> " round trips";
    };
  }

  private String crossovers() {
    List<String> parts = new ArrayList<>();
    crossover(Answer.of(APPEND, results), "bytea", "a `bytea` of %s that is appended to", parts);
    crossover(
        Answer.of(READ, results), "jsonb", "a `jsonb` of %s of which a member is read", parts);
    return parts.isEmpty()
        ? ""
        : "By plain SQL it is not worth it up to the size at which the server's own type was as fast or faster: "
            + String.join(", ", parts)
            + ".\n";
  }

  /** The largest size at which the peer is not slower beyond the noise, if it is slower above. */
  private static void crossover(Answer whole, String peer, String words, List<String> parts) {
    Answer answer = whole.strongest();
    String equal = "";
    boolean slower = false;
    for (String x : answer.xs()) {
      Figure ours = find(answer, x, OURS.subList(0, 1));
      Figure theirs = find(answer, x, List.of(peer));
      if (ours == null || theirs == null) {
        continue;
      }
      slower = answer.beats(ours, theirs);
      equal = slower ? equal : size(x, ours);
    }
    if (!equal.isEmpty() && slower) {
      parts.add(words.formatted(equal));
    }
  }

  /** A size, or that of documents with so many elements. */
  private static String size(String x, Figure figure) {
    double bytes = figure.samples("document").average().orElse(Double.NaN);
    return Double.isNaN(bytes)
        ? x.replaceFirst("(\\d)(\\D+)$", "$1 $2")
        : NumberText.of(bytes, Metric.Unit.BYTES);
  }

  private String where() {
    Map<String, String> facts = results.environment();
    return "PostgreSQL %s, %s, client and server on one machine, commits wait for the disk; look at the ratios.\n"
        .formatted(
            facts.getOrDefault("PostgreSQL", ""),
            facts.getOrDefault("Processor", "").replaceFirst(",.*", ""));
  }
}
