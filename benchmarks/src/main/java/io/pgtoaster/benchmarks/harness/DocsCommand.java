package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.DocsPage;
import io.pgtoaster.benchmarks.report.Once;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.report.Readme;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "docs",
    description = "Writes the page of the documentation, and what README shows, from two sets.",
    mixinStandardHelpOptions = true)
final class DocsCommand implements Callable<Integer> {
  /** Beside the page. */
  static final String PICTURE = "append.svg";

  @Parameters(
      paramLabel = "RESULTS",
      description = "directory of a run (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/results/standard")
  private Path results;

  @Option(
      names = "--async",
      paramLabel = "DIR",
      description = "a run with --sync off, where there is one (default: the other's with -async)")
  private @Nullable Path async;

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

  @Option(
      names = "--once",
      paramLabel = "FILE",
      description = "what was measured once (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/results/once.json")
  private Path once;

  @Override
  public Integer call() throws Exception {
    Path other = async == null ? results.resolveSibling(name(results) + "-async") : async;
    boolean both = async != null || Files.exists(other);
    Results found = Results.read(results);
    Files.writeString(
        file,
        DocsPage.of(
            Question.all(),
            found,
            both ? Results.read(other) : null,
            shown(results) + (both ? "` and `" + shown(other) : ""),
            Once.of(once)));
    System.out.println(file);
    Path picture = file.resolveSibling(PICTURE);
    Files.writeString(picture, Readme.picture(found));
    System.out.println(picture);
    Files.writeString(readme, Readme.of(Files.readString(readme), found));
    System.out.println(readme);
    return 0;
  }

  private static String name(Path directory) {
    return directory.toAbsolutePath().normalize().getFileName().toString();
  }

  /** A path of this machine is nobody's business. */
  private static String shown(Path directory) {
    return directory.isAbsolute() ? name(directory) : directory.toString();
  }
}
