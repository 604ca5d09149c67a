package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.Guard;
import io.pgtoaster.benchmarks.report.Results;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "guard",
    description = "Compares ten ratios of a run with those of the kept set; fails if one is worse.",
    mixinStandardHelpOptions = true)
final class GuardCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RESULTS", description = "directory of a run, as of: run --set guard")
  private Path results;

  @Option(
      names = "--kept",
      paramLabel = "DIR",
      description = "the kept set (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/results/standard")
  private Path kept;

  @Override
  public Integer call() throws Exception {
    Guard.Verdict verdict = Guard.check(Results.read(kept), Results.read(results));
    System.out.print(verdict.text());
    return verdict.worse() ? 1 : 0;
  }
}
