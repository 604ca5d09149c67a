package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.DocsPage;
import io.pgtoaster.benchmarks.report.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "docs",
    description = "Writes the page of the documentation from a set.",
    mixinStandardHelpOptions = true)
final class DocsCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RESULTS",
      description = "directory of a run (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/results/standard")
  private Path results;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "default: ${DEFAULT-VALUE}",
      defaultValue = "docs/benchmarks.md")
  private Path file;

  @Override
  public Integer call() throws Exception {
    String set = results.isAbsolute() ? results.getFileName().toString() : results.toString();
    Files.writeString(file, DocsPage.of(Sections.all(), Results.read(results), set));
    System.out.println(file);
    return 0;
  }
}
