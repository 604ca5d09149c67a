package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Question;
import io.pgtoaster.benchmarks.report.HtmlReport;
import io.pgtoaster.benchmarks.report.Results;
import io.pgtoaster.benchmarks.report.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The questions, as reports show them. */
final class Sections {
  static final String REPORT = "report.html";

  private Sections() {}

  static List<Section> all() {
    return Question.all().stream().map(q -> Section.of(q.number(), q.title(), q.charts())).toList();
  }

  /** Writes the page of a directory with results. */
  static Path write(Path directory) throws IOException {
    Path file = directory.resolve(REPORT);
    Files.writeString(file, HtmlReport.of(all(), Results.read(directory)));
    return file;
  }
}
