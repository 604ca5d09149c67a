package io.pgtoaster.cli.demo;

import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The demonstration's result as text. */
public final class DemoText {
  private static final String OWN = "pgtoaster";

  private final DemoResult result;

  /**
   * Prepares the text.
   *
   * @param result what was found
   */
  public DemoText(DemoResult result) {
    this.result = result;
  }

  @Override
  public String toString() {
    String line = System.lineSeparator();
    StringBuilder text = new StringBuilder();
    text.append(stream()).append(line).append(transfers());
    if (!result.appendMillis().isEmpty()) {
      text.append(line).append("one byte appended to a value of").append(line);
      text.append(small(result.appendMillis(), "ms", 3)).append(line);
      text.append(small(result.appendWalBytes(), "bytes of WAL", 0));
    }
    documents(text, line);
    text.append(line);
    result.notes().forEach(note -> text.append("* ").append(note).append(line));
    Map<String, Object> environment = result.environment();
    text.append("PostgreSQL ")
        .append(environment.get("server_version"))
        .append(", ")
        .append(environment.get("java"))
        .append(", ")
        .append(environment.get("os"))
        .append(", ")
        .append(environment.get("cpus"))
        .append(" CPUs, fsync ")
        .append(environment.get("fsync"))
        .append(", synchronous_commit ")
        .append(environment.get("synchronous_commit"))
        .append(", wal_level ")
        .append(environment.get("wal_level"))
        .append(line);
    return text.toString();
  }

  private void documents(StringBuilder text, String line) {
    DocumentResult documents = result.documents();
    documents
        .millis()
        .forEach(
            (task, figures) -> {
              text.append(line).append("a document: ").append(documents.measures().get(task));
              text.append(line).append(table(documents.titles(), figures, "ms", 3));
              Map<String, Map<String, Double>> wal = documents.walBytes().get(task);
              if (wal != null) {
                text.append(table(documents.titles(), wal, "bytes of WAL", 0));
              }
            });
  }

  private TextTable stream() {
    StreamResult s = result.stream();
    TextTable table = new TextTable("ll");
    table.row("file", result.environment().get("file") + ", " + ByteSize.format(s.bytes()));
    table.row("appended", ByteSize.rate(s.bytes(), s.appendNanos()) + ", while it was followed");
    table.row(
        "followed",
        String.format(
            Locale.ROOT,
            "from a second connection, which had the last byte %.0f ms after its commit",
            s.followLagMillis()));
    table.row("read back", ByteSize.rate(s.bytes(), s.readNanos()));
    table.row("SHA-256", (s.equal() ? "equal: " : "DIFFERENT, expected ") + s.sha256());
    return table;
  }

  private TextTable transfers() {
    TextTable table = new TextTable("lrrrr");
    table.row("", "append MB/s", "ratio", "read MB/s", "ratio");
    result
        .titles()
        .forEach(
            (name, title) ->
                table.row(
                    title,
                    figure(result.appendRate().get(name), 0),
                    ratio(result.appendRate().get(name), result.appendRate().get(OWN)),
                    figure(result.readRate().get(name), 0),
                    ratio(result.readRate().get(name), result.readRate().get(OWN))));
    return table;
  }

  private TextTable small(Map<String, Map<String, Double>> figures, String unit, int digits) {
    return table(result.titles(), figures, unit, digits);
  }

  /** The first title is pgtoaster's own. */
  private static TextTable table(
      Map<String, String> titles,
      Map<String, Map<String, Double>> figures,
      String unit,
      int digits) {
    String first = titles.keySet().iterator().next();
    Map<String, Double> own = figures.getOrDefault(first, Map.of());
    List<Object> heading = new ArrayList<>(List.of(unit));
    own.keySet().forEach(size -> heading.addAll(List.of(size, "ratio")));
    TextTable table = new TextTable("l" + "r".repeat(heading.size() - 1));
    table.row(heading.toArray());
    figures.forEach(
        (name, bySize) -> {
          List<Object> row = new ArrayList<>(List.of(titles.getOrDefault(name, name)));
          own.forEach(
              (size, ours) -> {
                row.add(figure(bySize.get(size), digits));
                row.add(ratio(bySize.get(size), ours));
              });
          table.row(row.toArray());
        });
    return table;
  }

  private static String figure(@Nullable Double value, int digits) {
    return value == null
        ? "-"
        : String.format(Locale.ROOT, "%,." + (value >= 100 ? 0 : digits) + "f", value);
  }

  /** Relative to pgtoaster. */
  private static String ratio(@Nullable Double value, @Nullable Double own) {
    if (value == null || own == null || own == 0) {
      return "";
    }
    double ratio = value / own;
    return String.format(Locale.ROOT, ratio >= 100 ? "%,.0fx" : "%.2fx", ratio);
  }
}
