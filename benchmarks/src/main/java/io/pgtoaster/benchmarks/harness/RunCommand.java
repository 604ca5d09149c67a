package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Plan;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.report.figure.Footnote;
import io.pgtoaster.benchmarks.report.figure.Results;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.server.OwnServer;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Templates;
import io.pgtoaster.benchmarks.trial.Available;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "run",
    description = "Starts a server, measures the cells of a set, and writes the results.",
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  enum Wanted {
    QUICK(Scale.QUICK),
    STANDARD(Scale.STANDARD);

    private final Scale scale;

    Wanted(Scale scale) {
      this.scale = scale;
    }
  }

  @Option(
      names = "--set",
      paramLabel = "SET",
      description = "${COMPLETION-CANDIDATES}",
      defaultValue = "QUICK")
  private Wanted wanted;

  @Option(names = "--question", paramLabel = "N", description = "only these", split = ",")
  private List<Integer> questions = List.of();

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description =
          "only cells whose line of --list matches, such as 'append.*100MB' or the line itself")
  private @Nullable Pattern only;

  @Option(names = "--rounds", paramLabel = "N", description = "rounds (default: those of the set)")
  private int rounds;

  @Option(
      names = "--forks",
      paramLabel = "0|1",
      description = "0: in this process, 1: in one per contender; default 0 for quick, else 1")
  private @Nullable Integer forks;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "new directory for the results; not needed with --list")
  private @Nullable Path out;

  @Option(names = "--replace", description = "delete the results of another run in --out")
  private boolean replace;

  @Option(
      names = "--append",
      description =
          "continue the run in --out, of the same commit, machine and server, until each cell"
              + " has --rounds")
  private boolean append;

  @Option(
      names = "--server-version",
      paramLabel = "N",
      description = "15 to 19 from an archive (default: ${DEFAULT-VALUE})",
      defaultValue = "18")
  private int version;

  @Option(names = "--url", paramLabel = "URL", description = "a running server, as a superuser")
  private @Nullable String url;

  @Option(names = "--postgres-pro", paramLabel = "URL", description = "Postgres Pro's server")
  private @Nullable String postgresPro;

  @Option(
      names = "--mongodb",
      paramLabel = "URL",
      description = "a server of MongoDB or FerretDB, as mongodb://host:port; for documents")
  private @Nullable String mongodb;

  @Option(
      names = "--sync",
      paramLabel = "on|off",
      description = "whether commits wait for the disk (default: on)",
      defaultValue = "on")
  private String sync;

  @Option(names = "--list", description = "only print what would be measured")
  private boolean list;

  private volatile boolean brokenOff;

  @Override
  public Integer call() throws Exception {
    check();
    checkOut();
    if (url != null) {
      return measure(url, false);
    }
    try (OwnServer server = OwnServer.start(Main.ROOT, version, wanted != Wanted.QUICK)) {
      return measure(server.url(), true);
    }
  }

  private void check() {
    List<Integer> known = Question.all().stream().map(Question::number).toList();
    for (int question : questions) {
      if (!known.contains(question)) {
        throw new IllegalArgumentException(
            "there is no question " + question + ", but " + known.get(0) + " to " + known.size());
      }
    }
    if (!sync.equals("on") && !sync.equals("off")) {
      throw new IllegalArgumentException("--sync is on or off, not " + sync);
    }
    if (rounds < 0 || (forks != null && forks != 0 && forks != 1)) {
      throw new IllegalArgumentException("--rounds is 1 or more, --forks 0 or 1");
    }
    if (version < 15 || version > 19) {
      throw new IllegalArgumentException("--server-version is 15 to 19, not " + version);
    }
    if (mongodb != null) {
      MongoServer.checkUrl(mongodb);
    }
  }

  /** Checks this first, because a run takes hours and must not overwrite kept results. */
  private void checkOut() {
    if (list) {
      return;
    }
    if (out == null) {
      throw new IllegalArgumentException("--out DIR is missing: the directory for the results");
    }
    if (append && replace) {
      throw new IllegalArgumentException("--append and --replace cannot be combined");
    }
    if (Files.exists(out.resolve(Results.RESULTS)) && !replace && !append) {
      throw new IllegalArgumentException(
          "there are results in "
              + out
              + " already: name another directory, or add --append or --replace");
    }
  }

  private int measure(String server, boolean own) throws Exception {
    Target target = new Target(server, postgresPro, mongodb, sync.equals("on"));
    Templates.make(target);
    Thread hook = new Thread(() -> breakOff(target, own), "benchmarks-break-off");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      Plan plan = new Plan(wanted.scale, Available.of(target));
      Question.all().stream()
          .filter(q -> questions.isEmpty() || questions.contains(q.number()))
          .forEach(plan::add);
      List<Cell> cells = plan.cells().stream().filter(this::isWanted).toList();
      if (cells.isEmpty()) {
        throw new IllegalArgumentException("no cell of the set matches: see --list");
      }
      if (list) {
        cells.forEach(c -> System.out.println(line(c.benchmark(), c.params())));
      }
      System.out.println(cells.size() + " cells");
      leftOut(plan);
      return out == null || list ? 0 : measure(target, own, plan, cells, out);
    } finally {
      if (!brokenOff) {
        Templates.drop(target);
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    }
  }

  /** Prints missing contenders at the start rather than at the end. */
  private void leftOut(Plan plan) {
    plan.skipped().stream()
        .filter(s -> isWanted(s.benchmark(), s.params()))
        .collect(Collectors.groupingBy(Footnote::reason, TreeMap::new, Collectors.counting()))
        .forEach((reason, count) -> System.out.println("left out: " + count + ", " + reason));
  }

  /** Ends the other processes, and removes everything from servers that continue to run. */
  private void breakOff(Target target, boolean own) {
    brokenOff = true;
    if (out != null && !list) {
      System.err.println(
          "stopped; the results are in " + out + "; to continue, run the same with --append");
    }
    ProcessHandle.current()
        .descendants()
        .filter(p -> p.info().commandLine().orElse("").contains(Worker.class.getName()))
        .forEach(ProcessHandle::destroyForcibly);
    try {
      if (!own) {
        Templates.drop(target, Kind.PLAIN);
      }
      if (postgresPro != null) {
        Templates.drop(target, Kind.POSTGRES_PRO);
      }
      if (mongodb != null) {
        MongoServer.drop(target);
      }
    } catch (SQLException e) {
      System.err.println("cannot drop all databases of the run: " + e.getMessage());
    }
  }

  private int measure(Target target, boolean own, Plan plan, List<Cell> cells, Path to)
      throws IOException {
    int count = rounds > 0 ? rounds : wanted.scale.rounds();
    int each = forks != null ? forks : wanted == Wanted.QUICK ? 0 : 1;
    Map<String, String> facts = Environment.of(target, own, wanted.name(), count);
    ResultDirectory directory =
        append ? ResultDirectory.append(to, facts) : new ResultDirectory(to, facts);
    plan.skipped().forEach(s -> directory.footnote(s.benchmark(), s.params(), s.reason()));
    int failed = 0;
    for (int round = 1; round <= count && !brokenOff; round++) {
      try (Workers workers = new Workers(target)) {
        for (int i = 0; i < cells.size() && !brokenOff; i++) {
          Cell cell = cells.get(i);
          if (directory.rounds(cell) >= round) {
            continue;
          }
          long start = System.nanoTime();
          CellRunner.Outcome found =
              each == 0 ? new CellRunner(target).run(cell) : workers.run(cell);
          if (brokenOff) {
            break;
          }
          String outcome = directory.add(cell, found);
          if (outcome.startsWith("FAILED")) {
            failed++;
            // JMH keeps the state of the failed cell in this process.
            each = 1;
          }
          System.out.printf(
              "[%d/%d %d/%d] %s: %s (%.1f s)%n",
              round,
              count,
              i + 1,
              cells.size(),
              line(cell.benchmark(), cell.params()),
              outcome,
              (System.nanoTime() - start) / 1e9);
        }
      }
    }
    if (brokenOff) {
      return 1;
    }
    return failed == 0 ? 0 : 1;
  }

  private boolean isWanted(Cell cell) {
    return isWanted(cell.benchmark(), cell.params());
  }

  private boolean isWanted(String name, Map<String, String> params) {
    return only == null || only.matcher(line(name, params)).find();
  }

  /**
   * Returns the line of a cell in the output, which {@code --only} matches. It contains no
   * characters that a pattern must escape.
   */
  static String line(String name, Map<String, String> params) {
    return params.entrySet().stream()
        .map(p -> p.getKey() + "=" + p.getValue())
        .collect(Collectors.joining(", ", name + " ", ""));
  }
}
