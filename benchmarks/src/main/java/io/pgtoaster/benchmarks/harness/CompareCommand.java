package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.Comparison;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "compare",
    description = "Compares two runs, cell by cell.",
    mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "BEFORE", description = "directory of a run")
  private Path before;

  @Parameters(index = "1", paramLabel = "AFTER", description = "directory of another")
  private Path after;

  @Override
  public Integer call() throws Exception {
    System.out.print(Comparison.of(Results.read(before), Results.read(after)));
    return 0;
  }
}
