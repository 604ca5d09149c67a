package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Ratios that should stay as they are, whatever the machine: a contender's figure by another's, in
 * the same run.
 */
public final class Guard {
  /** More has moved. */
  private static final double MOVED = 1.2;

  /**
   * One ratio.
   *
   * @param metric of both figures
   * @param benchmark of both
   * @param where parameters of both
   * @param contender whose figure is looked at
   * @param beside whose figure it is divided by
   */
  record Cell(
      Metric metric, String benchmark, Map<String, String> where, String contender, String beside) {
    double ratio(Results results) {
      return figure(results, contender).map(f -> f.value(metric)).orElse(Double.NaN)
          / figure(results, beside).map(f -> f.value(metric)).orElse(Double.NaN);
    }

    /** How far the ratio may be another, by the ranges of its figures. */
    private Optional<Range> range(Results results) {
      return figure(results, contender)
          .flatMap(
              one ->
                  figure(results, beside).map(other -> one.range(metric).by(other.range(metric))));
    }

    /** Whether two runs say the same as far as they can tell. */
    boolean tie(Results kept, Results now) {
      return range(kept)
          .flatMap(one -> range(now).map(other -> !one.below(other) && !other.below(one)))
          .orElse(false);
    }

    private Optional<Figure> figure(Results results, String who) {
      Map<String, String> params = new LinkedHashMap<>(where);
      params.put("contender", who);
      return results.find(benchmark, params);
    }

    String title() {
      return "%s of %s, %s: %s / %s"
          .formatted(metric.key(), benchmark, String.join(", ", where.values()), contender, beside);
    }
  }

  /** What was found. */
  public record Verdict(String text, boolean worse) {}

  private Guard() {}

  /** The cells that it looks at, as class, method and parameters. */
  public static List<Footnote> cells() {
    List<Footnote> cells = new ArrayList<>();
    for (Cell cell : read()) {
      for (String who : List.of(cell.contender(), cell.beside())) {
        Map<String, String> params = new LinkedHashMap<>(cell.where());
        params.put("contender", who);
        cells.add(new Footnote(cell.benchmark(), params, "guard"));
      }
    }
    return cells;
  }

  /** Compares the ratios of a run with those of the one that is kept. */
  public static Verdict check(Results kept, Results now) {
    return check(read(), kept, now);
  }

  static Verdict check(List<Cell> cells, Results kept, Results now) {
    StringBuilder text = new StringBuilder();
    boolean worse = false;
    int moved = 0;
    int missing = 0;
    for (Cell cell : cells) {
      double before = cell.ratio(kept);
      double after = cell.ratio(now);
      if (Double.isNaN(before) || Double.isNaN(after)) {
        worse = true;
        missing++;
        line(text, "missing  %s", cell.title());
        continue;
      }
      double change = after / before;
      if (change > MOVED || change < 1 / MOVED) {
        boolean tie = cell.tie(kept, now);
        boolean bad = !tie && cell.metric().lessIsBetter() == change > 1;
        worse |= bad;
        moved++;
        line(
            text,
            "%s  %s: %s, kept %s",
            tie ? "tie    " : bad ? "worse  " : "better ",
            cell.title(),
            NumberText.plain(after),
            NumberText.plain(before));
      }
    }
    line(text, "%d of %d ratios moved by more than 20 %%", moved, cells.size() - missing);
    if (missing > 0) {
      line(
          text,
          "%d are in one of the runs only: benchmarks/run run --set guard, with the extension"
              + " built",
          missing);
    }
    return new Verdict(text.toString(), worse);
  }

  @SuppressWarnings("AnnotateFormatMethod") // would take a library for one method
  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static List<Cell> read() {
    return parse(Resources.text("guard.txt"));
  }

  /** Lines of: metric | benchmark | name=value, ... | contender | beside. */
  static List<Cell> parse(String text) {
    List<Cell> cells = new ArrayList<>();
    for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      String[] parts = line.strip().split(" *\\| *", -1);
      Map<String, String> where = new LinkedHashMap<>();
      for (String param : parts[2].split(", *", -1)) {
        String[] pair = param.split("=", 2);
        where.put(pair[0], pair[1]);
      }
      cells.add(new Cell(Metric.of(parts[0]), parts[1], where, parts[3], parts[4]));
    }
    return cells;
  }
}
