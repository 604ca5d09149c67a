package io.pgtoaster.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Tables and bars, as text at once and as JSON in the end. */
final class Report {
  private final PrintStream out;
  private final List<Map<String, Object>> entries = new ArrayList<>();
  private boolean allMet = true;

  Report(PrintStream out) {
    this.out = out;
  }

  void heading(String question, String environment) {
    out.printf("%n== %s%n   %s%n", question, environment);
    entries.add(Map.of("question", question, "environment", environment));
  }

  void note(String text) {
    out.println("   " + text);
    entries.add(Map.of("note", text));
  }

  /** Prints results, each also in relation to the first. */
  void table(String title, String unit, List<Result> results) {
    Result base = results.get(0);
    out.printf("%n%s; ratios to %s%n", title, base.name());
    out.printf(
        "%-44s %10s %22s %8s %8s %11s %11s%n",
        "", unit, "min .. max", "ratio", "paired", "server ms", "client ms");
    for (Result r : results) {
      double ratio = r.median() / base.median();
      double paired = r.figures().over(base.figures()).median();
      out.printf(
          Locale.ROOT,
          "%-44s %10s %22s %8.2f %8.2f %11s %11s%n",
          r.name(),
          number(r.median()),
          number(r.figures().min()) + " .. " + number(r.figures().max()),
          ratio,
          paired,
          number(r.serverCpu().median()),
          number(r.clientCpu().median()));
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("table", title);
      entry.put("contender", r.name());
      entry.put("unit", unit);
      entry.put("median", r.median());
      entry.put("rounds", r.figures().values());
      entry.put("server_cpu_ms", r.serverCpu().values().stream().map(Report::known).toList());
      entry.put("client_cpu_ms", r.clientCpu().values().stream().map(Report::known).toList());
      entries.add(entry);
    }
  }

  void atLeast(String what, double value, double limit) {
    bar(what, value, ">=", limit, value >= limit);
  }

  void atMost(String what, double value, double limit) {
    bar(what, value, "<=", limit, value <= limit);
  }

  private void bar(String what, double value, String sign, double limit, boolean met) {
    allMet &= met;
    out.printf(
        "%-6s %s: %s (bar: %s %s)%n",
        met ? "MET" : "MISSED", what, number(value), sign, number(limit));
    entries.add(Map.of("bar", what, "value", value, "sign", sign, "limit", limit, "met", met));
  }

  boolean allMet() {
    return allMet;
  }

  void writeJson(Path file) {
    JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValue(file, entries);
  }

  private static Object known(double value) {
    return Double.isNaN(value) ? "unknown" : value;
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return String.format(
        Locale.ROOT,
        Math.abs(value) >= 100 ? "%.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.3f",
        value);
  }
}
