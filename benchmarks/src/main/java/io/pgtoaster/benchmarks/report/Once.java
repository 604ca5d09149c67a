package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What was measured once, and in no cell: limits, and what takes hours. */
public final class Once {
  /**
   * A figure.
   *
   * @param what was measured
   * @param figure that came out
   * @param date of it
   * @param commit of the code
   * @param command that repeats it
   */
  private record Entry(String what, String figure, String date, String commit, String command) {}

  private Once() {}

  /**
   * The part of the page that tells of them.
   *
   * @param file with a list of figures
   * @throws IOException if there is none
   */
  public static String of(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("\n## Measured once\n\n").append(Resources.text("once.md"));
    text.append("\n| What | Figure | When | By |\n|---|---|---|---|\n");
    for (Entry e : JsonMapper.shared().readValue(file, new TypeReference<List<Entry>>() {})) {
      text.append(
          "| %s | %s | %s, %s | `%s` |\n"
              .formatted(e.what(), e.figure(), e.date(), e.commit(), e.command()));
    }
    return text.toString();
  }
}
