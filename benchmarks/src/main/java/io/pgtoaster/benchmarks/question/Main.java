package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.guard.Guard;
import io.pgtoaster.benchmarks.question.Figure.Metric;
import io.pgtoaster.benchmarks.question.Results.Measurement;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.server.OwnServer;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.embedded.EmbeddedPostgresException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code benchmarks/run} and its commands. */
@Command(
    name = "benchmarks/run",
    description = "Measures pgtoaster and its peers, and reports the results.",
    mixinStandardHelpOptions = true,
    subcommands = Main.Run.class)
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
          "Compares searches with those of plain jsonb, for docs/search.md. Uses products of 2"
              + " KB and 20 KB, and a tenth as many of 200 KB.",
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

  @Command(
      name = "run",
      description = "Starts a server, measures the cells of a set, and writes the results.",
      mixinStandardHelpOptions = true)
  static final class Run implements Callable<Integer> {
    enum Wanted {
      /**
       * Takes minutes, in this process. Checks that everything works; the times are meaningless.
       */
      QUICK,
      /** The committed sets: each cell runs in a separate process. */
      STANDARD
    }

    @Option(names = "--set", paramLabel = "SET", description = "quick or standard (default: quick)")
    private Wanted wanted = Wanted.QUICK;

    @Option(
        names = "--only",
        paramLabel = "REGEX",
        description =
            "only cells whose line of --list matches, such as 'Appends.*100MiB' or the line itself",
        defaultValue = "")
    private Pattern only;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        description = "number of runs of each cell (default: 1)")
    private int rounds = 1;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "directory for the results; continues the run that it contains, if any")
    private @Nullable Path out;

    @Option(
        names = "--server-version",
        paramLabel = "N",
        description = "15 to 19 (default: ${DEFAULT-VALUE})",
        defaultValue = "18")
    private int version;

    @Option(
        names = "--url",
        paramLabel = "URL",
        description = "JDBC URL of a running server, with a superuser")
    private @Nullable String url;

    @Option(
        names = "--mongodb",
        paramLabel = "URL",
        description = "a MongoDB or FerretDB server for comparison, as mongodb://host:port")
    private @Nullable String mongodb;

    @Option(names = "--no-sync", description = "do not wait for the disk in commits")
    private boolean async;

    @Option(names = "--list", description = "only print what would be measured")
    private boolean list;

    @Override
    public Integer call() throws Exception {
      if (out == null && !list) {
        throw new IllegalArgumentException("--out DIR is missing: the directory for the results");
      }
      if (url != null) {
        return measure(url);
      }
      try (OwnServer server = OwnServer.start(ROOT, version, wanted != Wanted.QUICK)) {
        return measure(server.url());
      }
    }

    private int measure(String server) throws Exception {
      Target target = new Target(server, mongodb, !async);
      Database.prepare(target);
      try {
        List<Cell> cells = cells(target);
        if (cells.isEmpty()) {
          throw new IllegalArgumentException("no cell of the set matches: see --list");
        }
        System.out.println(cells.size() + " cells");
        if (list || out == null) {
          cells.forEach(cell -> System.out.println(cell.line()));
          return 0;
        }
        return measure(target, cells, out);
      } finally {
        Database.drop(target);
      }
    }

    /** Returns the cells of the set with the contenders that the servers have. */
    private List<Cell> cells(Target target) throws SQLException {
      boolean extension = Database.has(target, Kind.EXTENSION);
      String mongo = mongodb == null ? Names.MONGODB : MongoServer.name(target);
      boolean lz4;
      boolean lz4Default;
      try (Connection c = target.maintenance()) {
        lz4 =
            Sql.holds(
                c,
                "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'");
        lz4Default = Sql.holds(c, "SELECT current_setting('default_toast_compression') = 'lz4'");
      }
      if (!lz4) {
        System.out.println("skipped lz4: this server was built without it");
      }
      if (!extension) {
        System.out.println(
            "skipped the extension; to build it: extension/versions build " + version);
      }
      return Question.all().stream()
          .flatMap(
              question ->
                  question
                      .cells(
                          async ? "async" : wanted == Wanted.QUICK ? "quick" : "standard",
                          name -> name.equals(Names.MONGODB) ? mongo : name)
                      .stream())
          .filter(cell -> extension || !cell.contender().equals(Names.EXTENSION))
          .filter(cell -> mongodb != null || !Names.speaksMongo(cell.contender()))
          // FerretDB 1.24 ignores the position of an insert, and appends.
          .filter(
              cell ->
                  !cell.contender().equals(Names.FERRETDB)
                      || !cell.benchmark().equals("Updates.insert"))
          // The form lz4 is the same as the default form.
          .filter(cell -> !lz4Default || !cell.contender().endsWith(", lz4"))
          .filter(cell -> lz4 || !(cell.contender() + cell.get("compression")).endsWith("lz4"))
          .filter(cell -> only.matcher(cell.line()).find())
          .toList();
    }

    private int measure(Target target, List<Cell> cells, Path to) throws Exception {
      String set = wanted.name().toLowerCase(Locale.ROOT);
      Results results = Results.open(to, Environment.of(target, set, rounds));
      String argument = target.use();
      int failed = 0;
      for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < cells.size(); i++) {
          Cell cell = cells.get(i);
          if (results.rounds(cell) >= round) {
            continue;
          }
          ByteArrayOutputStream output = new ByteArrayOutputStream();
          String outcome;
          try (PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            Measurement found = Measured.run(cell, wanted != Wanted.QUICK, argument, stream);
            results.add(found);
            outcome = Metric.TIME.text(found.figure(List.of(found.samples())).value(Metric.TIME));
          } catch (RunnerException e) {
            System.out.println(output.toString(StandardCharsets.UTF_8) + e);
            outcome = "FAILED";
            failed++;
          }
          System.out.printf(
              "[%d/%d %d/%d] %s: %s%n", round, rounds, i + 1, cells.size(), cell.line(), outcome);
        }
      }
      return failed == 0 ? 0 : 1;
    }
  }
}
