package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.harness.OwnServerFiles;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Templates;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.benchmarks.server.own.OwnServer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs measurements that do not fit into a JMH cell, prints the figures, and fails if a result is
 * wrong. Their figures are in {@code results/once.json}.
 */
@Command(name = "Bars", sortOptions = false, mixinStandardHelpOptions = true)
public final class Bars implements Callable<Integer> {
  /** A measurement, with the size of its data. */
  @FunctionalInterface
  private interface Bar {
    void run(Workplace workplace, int size) throws Exception;
  }

  private record Entry(Bar bar, int size, List<Kind> kinds) {}

  /** The name of the measurement whose server waits for the disk. */
  private static final String WRITERS = "writers";

  private static final Map<String, Entry> ALL =
      new TreeMap<>(
          Map.of(
              "million",
              new Entry(BlobBars::million, 1_000_000, List.of(Kind.PLAIN)),
              "huge",
              new Entry(BlobBars::huge, 6144, List.of(Kind.PLAIN)),
              "doc-array",
              new Entry(DocumentBars::array, 5_000_000, List.of(Kind.PLAIN)),
              "doc-huge",
              new Entry(DocumentBars::huge, 1024, List.of(Kind.PLAIN)),
              WRITERS,
              new Entry(WriterBars::run, 1000, List.of(Kind.PLAIN, Kind.EXTENSION)),
              "search",
              new Entry(SearchBars::run, 20_000, List.of(Kind.PLAIN)),
              "extension",
              new Entry(ExtensionBars::run, 2000, List.of(Kind.PLAIN, Kind.EXTENSION))));

  /** First version with statistics about the pages and the log of each session. */
  private static final int VERSION = 18;

  @Parameters(
      arity = "1..*",
      paramLabel = "NAME",
      description =
          "million: small appends to one blob; huge, doc-huge: a blob or document of N MB (the"
              + " latter with -Xmx128m); doc-array: edits of a long array; search: searches compared with plain jsonb; writers: 16 threads"
              + " that append to one blob, durably; extension: both executors")
  private List<String> names;

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "number of appends (per thread), MB, elements or operations")
  private int size;

  @Mixin private OwnServerFiles files;

  public static void main(String... arguments) {
    System.exit(execute(arguments));
  }

  static int execute(String... arguments) {
    return new CommandLine(new Bars()).execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    if (!ALL.keySet().containsAll(names)) {
      throw new IllegalArgumentException("choose from " + ALL.keySet() + ", not " + names);
    }
    try (OwnServer server = files.start(null, VERSION, names.contains(WRITERS))) {
      Target target = new Target(server.url(), null, null, true);
      target.use();
      Templates.make(target);
      for (String name : names) {
        Entry entry = Objects.requireNonNull(ALL.get(name));
        for (Kind kind : entry.kinds()) {
          if (!Templates.has(target, kind)) {
            tell("skipped the extension; to build it: extension/versions build %d", VERSION);
            continue;
          }
          try (Workplace workplace = new Workplace(kind)) {
            tell("== %s, %s", name, kind);
            entry.bar().run(workplace, size == 0 ? entry.size() : size);
          }
        }
      }
    }
    return 0;
  }

  @SuppressWarnings("AnnotateFormatMethod") // @FormatMethod needs another library
  static void tell(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  /** Runs an operation once, and prints and returns its time in seconds. */
  static double timed(String what, Backend.Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    tell("%-44s %12.1f ms", what, 1e3 * seconds);
    return seconds;
  }

  /** Runs an operation repeatedly after a warm-up, and prints the cost of one run. */
  static void costs(Workplace workplace, String what, int times, Backend.Work work)
      throws Exception {
    for (int i = 0; i < Math.min(times, 30); i++) {
      work.run();
    }
    long start = System.nanoTime();
    Backend.Cost cost =
        workplace
            .backend()
            .of(
                () -> {
                  for (int i = 0; i < times; i++) {
                    work.run();
                  }
                });
    tell(
        "%-44s %9.1f us, %9.1f us of CPU, %6.1f pages, %9.1f B of WAL",
        what,
        (System.nanoTime() - start) / 1e3 / times,
        cost.nanos() / 1e3 / times,
        (double) cost.pages() / times,
        (double) cost.wal() / times);
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
