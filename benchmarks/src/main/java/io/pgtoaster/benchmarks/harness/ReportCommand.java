package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.HtmlReport;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "report",
    description = "Writes the page of a run again.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RESULTS", description = "directory of a run")
  private Path results;

  @Override
  public Integer call() throws Exception {
    System.out.println(write(results));
    return 0;
  }

  /** Writes the page of a directory with results, beside them. */
  static Path write(Path directory) throws IOException {
    Path file = directory.resolve("report.html");
    Files.writeString(file, HtmlReport.of(Question.all(), Results.read(directory)));
    return file;
  }
}
