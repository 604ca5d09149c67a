package io.pgtoaster.cli.explain;

import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats explanations as tables. */
record ExplanationText(Map<String, Explanation> explanations) {
  private static final int SHOWN_ROWS = 20;

  @Override
  public String toString() {
    String line = System.lineSeparator();
    StringBuilder text = new StringBuilder();
    explanations.forEach(
        (title, explanation) -> {
          text.append(text.isEmpty() ? "" : line).append(PrintableText.of(title)).append(line);
          text.append(table(explanation.steps()));
          written(text, explanation.written(), line);
        });
    return text.toString();
  }

  private static TextTable table(List<Step> steps) {
    TextTable table = new TextTable("rlllrrrr");
    table.row("STEP", "STATEMENT", "TABLE", "ROWS", "PAGES", "NOT CACHED", "WAL BYTES", "MS");
    long pages = 0;
    long missed = 0;
    long wal = 0;
    double millis = 0;
    int number = 0;
    for (Step step : steps) {
      number++;
      String time = String.format(Locale.ROOT, "%.2f", step.millis());
      if (step.tables().isEmpty()) {
        table.row(number, step.statement(), "-", "-", 0, 0, step.walBytes(), time);
      }
      boolean first = true;
      for (Cost cost : step.tables()) {
        table.row(
            first ? number : "",
            first ? step.statement() : "",
            PrintableText.of(cost.table()),
            cost.rows(),
            cost.pages(),
            cost.missed(),
            first ? step.walBytes() : "",
            first ? time : "");
        first = false;
        pages += cost.pages();
        missed += cost.missed();
      }
      wal += step.walBytes();
      millis += step.millis();
    }
    table.row("", "all", "", "", pages, missed, wal, String.format(Locale.ROOT, "%.2f", millis));
    return table;
  }

  private static void written(StringBuilder text, List<String> rows, String line) {
    for (int i = 0; i < Math.min(rows.size(), SHOWN_ROWS); i++) {
      text.append(i == 0 ? "wrote " : "      ").append(rows.get(i)).append(line);
    }
    if (rows.size() > SHOWN_ROWS) {
      text.append("      and ").append(rows.size() - SHOWN_ROWS).append(" more").append(line);
    }
  }
}
