package io.pgtoaster.benchmarks.harness;

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
    System.out.println(Sections.write(results));
    return 0;
  }
}
