package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.Page;
import io.pgtoaster.benchmarks.report.Readme;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "docs",
    description = "Writes the page of the documentation and the table of README from two sets.",
    mixinStandardHelpOptions = true)
final class DocsCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RESULTS",
      description = "directory of a run (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/results/standard")
  private Path results;

  @Option(
      names = "--async",
      paramLabel = "DIR",
      description = "a run with --sync off (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/results/standard-async")
  private Path async;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "default: ${DEFAULT-VALUE}",
      defaultValue = "docs/benchmarks.md")
  private Path file;

  @Option(
      names = "--readme",
      paramLabel = "FILE",
      description = "default: ${DEFAULT-VALUE}",
      defaultValue = "README.md")
  private Path readme;

  @Override
  public Integer call() throws Exception {
    Results found = Results.read(results);
    Files.writeString(file, Page.of(found, Results.read(async)));
    Files.writeString(readme, Readme.of(Files.readString(readme), found));
    return 0;
  }
}
