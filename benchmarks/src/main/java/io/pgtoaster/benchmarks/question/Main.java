package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.guard.Guard;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.OwnServer;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.embedded.EmbeddedPostgresException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code benchmarks/run} and its commands. */
@Command(
    name = "benchmarks/run",
    description = "Measures pgtoaster and its peers, and reports the results.",
    mixinStandardHelpOptions = true,
    subcommands = RunCommand.class)
public final class Main {
  /** The directory of the project: the working directory of tests is their module. */
  static final Path ROOT = Path.of(Files.exists(Path.of("benchmarks")) ? "" : "..");

  /** Version of the server that counts and searches. Other versions have different counts. */
  private static final int VERSION = 18;

  private Main() {}

  /**
   * Runs a command.
   *
   * @param arguments command line
   */
  public static void main(String... arguments) {
    System.exit(execute(arguments));
  }

  static int execute(String... arguments) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e))
        .execute(arguments);
  }

  /** Prints a single line if the user can fix the problem. */
  private static int failed(Exception e) throws Exception {
    if (e instanceof IOException
        || e instanceof SQLException
        || e instanceof EmbeddedPostgresException
        || e instanceof IllegalArgumentException) {
      System.err.println("benchmarks/run: " + e.getMessage());
      return 2;
    }
    throw e;
  }

  @Command(
      description =
          "Counts the costs of each operation with each executor, and fails if one costs more than"
              + " in benchmarks/results/guard.txt.",
      mixinStandardHelpOptions = true)
  int guard(
      @Option(names = "--accept", description = "save the new counts of changed operations")
          boolean accept,
      @Option(
              names = "--only",
              paramLabel = "REGEX",
              description = "only operations that match, such as 'extension.*append'",
              defaultValue = "")
          Pattern only)
      throws Exception {
    Path kept = ROOT.resolve("benchmarks/results/guard.txt");
    Guard guard = new Guard(kept, name -> only.matcher(name).find(), System.getenv("CI") != null);
    // The disk does not influence the counts.
    try (OwnServer server = OwnServer.start(ROOT, VERSION, false)) {
      return guard.run(new Target(server.url(), null, true), accept) ? 0 : 1;
    }
  }

  @Command(
      description =
          "Compares searches with those of plain jsonb, for docs/search.md: in products of 2 KB, of 20"
              + " KB, and a tenth as many of 200 KB.",
      mixinStandardHelpOptions = true)
  int search(
      @Option(
              names = "--size",
              paramLabel = "N",
              description = "number of products (default: ${DEFAULT-VALUE})",
              defaultValue = "1000")
          int size)
      throws Exception {
    try (OwnServer server = OwnServer.start(ROOT, VERSION, false)) {
      prepare(server);
      try (Workplace workplace = new Workplace(Kind.PLAIN)) {
        Searches.run(workplace, size);
      }
    }
    return 0;
  }

  @Command(
      description =
          "Compares turns of conversations with those of the frameworks' own stores, for"
              + " docs/chat-memory.md.",
      mixinStandardHelpOptions = true)
  int chat(
      @Option(
              names = "--lengths",
              split = ",",
              paramLabel = "N",
              description = "lengths of the conversations (default: ${DEFAULT-VALUE})",
              defaultValue = "10,100,1000,10000")
          List<Integer> lengths)
      throws Exception {
    try (OwnServer server = OwnServer.start(ROOT, VERSION, false)) {
      prepare(server);
      ChatMemories.run(lengths);
    }
    return 0;
  }

  /** Makes the benchmarks of this process use a server. */
  private static void prepare(OwnServer server) throws Exception {
    Target target = new Target(server.url(), null, true);
    target.use();
    Database.prepare(target);
  }

  @Command(
      description =
          "Writes docs/benchmarks.md and the table of README from the sets in benchmarks/results.",
      mixinStandardHelpOptions = true)
  int docs() throws IOException {
    Path readme = ROOT.resolve("README.md");
    Results results = Results.read(ROOT.resolve("benchmarks/results/standard"));
    Results async = Results.read(ROOT.resolve("benchmarks/results/standard-async"));
    Files.writeString(ROOT.resolve("docs/benchmarks.md"), Page.of(results, async));
    Files.writeString(readme, Page.readme(Files.readString(readme), results));
    return 0;
  }
}
