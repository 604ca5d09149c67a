package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.guard.Guard;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.own.OwnServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "guard",
    description =
        "Counts the costs of each operation with each executor, and fails if one costs more than"
            + " the kept counts.",
    mixinStandardHelpOptions = true)
final class GuardCommand implements Callable<Integer> {
  /** Other versions have other counts. */
  private static final int VERSION = 18;

  @Option(names = "--accept", description = "keep the new counts of changed operations")
  private boolean accept;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "only operations that match, such as 'extension.*append'",
      defaultValue = "")
  private Pattern only;

  @Option(
      names = "--kept",
      paramLabel = "FILE",
      description = "the kept counts (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/results/guard.txt")
  private Path kept;

  @Mixin private OwnServerFiles files;

  @Override
  public Integer call() throws Exception {
    Guard guard = new Guard(kept, name -> only.matcher(name).find(), System.getenv("CI") != null);
    // The disk does not influence the counts.
    try (OwnServer server = files.start(null, VERSION, false)) {
      return guard.run(new Target(server.url(), null, null, true), accept) ? 0 : 1;
    }
  }
}
