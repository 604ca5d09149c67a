package io.pgtoaster.benchmarks.report.chart;

import java.util.List;

/** Each contender has one colour everywhere, in light and dark; each compression a kind of line. */
public final class Colours {
  private record Colour(String contender, String light, String dark) {}

  /** This library first, then those that it is compared with, then the limits. */
  private static final List<Colour> COLOURS =
      List.of(
          new Colour("chunk tables", "#0b62c4", "#6db1ff"),
          new Colour("extension", "#00857a", "#3fd0c0"),
          new Colour("Postgres Pro", "#7a3fc0", "#c39bff"),
          new Colour("large object", "#b25900", "#ffab57"),
          new Colour("bytea", "#c3212f", "#ff7a80"),
          new Colour("jsonb", "#c3212f", "#ff7a80"),
          new Colour("Hibernate JSON", "#b25900", "#ffab57"),
          new Colour("hypersistence", "#a8328c", "#f58bdc"),
          new Colour("hstore", "#a8328c", "#f58bdc"),
          new Colour("json", "#b25900", "#ffab57"),
          new Colour("MongoDB", "#4b7a1f", "#9fd36a"),
          new Colour("bare table", "#6b7280", "#9aa4b2"),
          new Colour("column", "#6b7280", "#9aa4b2"),
          new Colour("indexed table", "#8a6d00", "#e0c040"));

  private Colours() {}

  private static int index(String series) {
    for (int i = 0; i < COLOURS.size(); i++) {
      if (series.equals(COLOURS.get(i).contender())
          || series.startsWith(COLOURS.get(i).contender() + ", ")) {
        return i;
      }
    }
    return COLOURS.size();
  }

  static int rank(String contender) {
    return index(contender);
  }

  /** Whether it is this library. */
  public static boolean ours(String contender) {
    return index(contender) < 2;
  }

  /** Whether it does less than what is asked, to show the limit. */
  public static boolean limit(String contender) {
    return contender.equals("bare table") || contender.equals("column");
  }

  /** Name of the colour of a line or bar. */
  public static String css(String series) {
    return "c" + index(series);
  }

  /** How a line is dashed. */
  static String dashes(String series) {
    return switch (series.substring(series.indexOf(',') + 1).strip()) {
      case "pglz", "SQL", "SQL with a lock" -> "6 4";
      case "lz4" -> "2 3";
      case "external", "target 128" -> "8 3 2 3";
      default -> "";
    };
  }

  /** Definitions of all colours. */
  public static String variables(boolean dark) {
    StringBuilder css = new StringBuilder();
    for (int i = 0; i < COLOURS.size(); i++) {
      Colour c = COLOURS.get(i);
      css.append("--c").append(i).append(":").append(dark ? c.dark() : c.light()).append(";");
    }
    return css.append("--c").append(COLOURS.size()).append(dark ? ":#ddd;" : ":#333;").toString();
  }

  /** Rules that use them. */
  public static String rules() {
    StringBuilder css = new StringBuilder();
    for (int i = 0; i <= COLOURS.size(); i++) {
      css.append(".c%d{--c:var(--c%d)}".formatted(i, i));
    }
    return css.toString();
  }
}
