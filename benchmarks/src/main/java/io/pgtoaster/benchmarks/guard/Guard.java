package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.guard.operation.Operation;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.spi.Toaster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the costs of each operation with each executor, and compares them with the saved ones.
 *
 * <p>{@link Toaster.Executor#SQL} is counted without the extension. It includes the routines of a
 * store, because its statements call them; columns without such routines have their own operations.
 * {@link Toaster.Executor#EXTENSION} is counted with the extension. {@link Toaster.Executor#SERVER}
 * is not counted: it needs a different server, which many machines do not have, and whose counts
 * differ. The functions for plain SQL, and the operators that the extension's hooks replace, are
 * counted separately.
 *
 * @param kept file of the saved counts
 * @param wanted matches the operations to count, as {@code executor | operation}
 * @param needed whether it fails if the extension is missing
 */
public record Guard(Path kept, Predicate<String> wanted, boolean needed) {
  private static final String COMMENT = "# ";

  /** How often an operation is counted again if it seems to use more processor time. */
  private static final int TRIES = 3;

  private static final int ROUNDS = 3;

  /** After this many calls, the statements have generic plans and the driver's code is compiled. */
  private static final int WARM_UPS = 10;

  private static final int YARDSTICKS = 10;

  /** The unit of processor time. */
  private static final String YARDSTICK =
      "SELECT sum(hashtext(CAST(i AS text))) FROM generate_series(1, 500) i";

  /**
   * Counts on an otherwise idle server, and prints the result.
   *
   * @param target the server
   * @param accept whether to save the new counts
   * @return false if no operation matches, or if a count is worse and is not accepted
   */
  public boolean run(Target target, boolean accept) throws Exception {
    target.use();
    Database.prepare(target);
    boolean extension = Database.has(target, Kind.EXTENSION);
    Map<String, Line> before = read();
    Map<String, Line> now = new LinkedHashMap<>();
    System.out.println(Line.header());
    for (Kind kind : extension ? Kind.values() : new Kind[] {Kind.PLAIN}) {
      try (Workplace shared = new Workplace(kind)) {
        for (Operation operation : Operation.of(kind).toList()) {
          String name = Line.name(kind.contender, operation.name());
          if (wanted.test(name)) {
            Line line = count(shared, operation, before.get(name));
            System.out.println(line.text());
            now.put(name, line);
          }
        }
      }
    }
    if (now.isEmpty()) {
      System.out.println("no operation matches");
      return false;
    }
    String skipped = extension || needed ? "-" : Line.name(Kind.EXTENSION.contender, "");
    Comparison comparison =
        new Comparison(before, now, name -> wanted.test(name) && !name.startsWith(skipped));
    if (accept) {
      write(comparison.accepted(names()));
    }
    if (!extension) {
      System.out.println("skipped the extension; to build it: extension/versions build 18");
    }
    System.out.print(comparison.text(accept));
    return accept || !comparison.failed();
  }

  private static Line count(Workplace shared, Operation operation, @Nullable Line before)
      throws Exception {
    Line line = operation.isAlone() ? countAlone(shared.kind(), operation) : of(shared, operation);
    // Counts again if it seems slow: other load rarely lasts through all attempts. Another table in
    // the shared database would make its catalogs larger.
    for (int i = 0; i < TRIES && before != null && Count.CPU.moved(before, line) > 0; i++) {
      line = line.orLess(Count.CPU, countAlone(shared.kind(), operation));
    }
    return line;
  }

  private static Line countAlone(Kind kind, Operation operation) throws Exception {
    try (Workplace own = new Workplace(kind)) {
      return of(own, operation);
    }
  }

  /** Runs an operation repeatedly and returns its costs. */
  private static Line of(Workplace workplace, Operation operation) throws Exception {
    int times = operation.times();
    int warmUps = (WARM_UPS + times - 1) / times;
    List<Backend.Cost> costs = new ArrayList<>();
    long yardstick = Long.MAX_VALUE;
    try (Operation.Subject subject = operation.opener().open(workplace, warmUps + ROUNDS)) {
      Backend backend = subject.backend();
      backend.beside();
      for (int round = 0; round < warmUps + ROUNDS; round++) {
        int number = round;
        yardstick = Math.min(yardstick, backend.timeOf(YARDSTICK, YARDSTICKS));
        Backend.Cost cost =
            backend.of(
                () -> {
                  for (int i = 0; i < times; i++) {
                    subject.call(number, i);
                  }
                });
        if (round >= warmUps) {
          costs.add(cost);
        }
      }
    }
    double unit = (double) yardstick / YARDSTICKS;
    return new Line(
        workplace.kind().contender,
        operation.name(),
        Map.of(
            Count.TRIPS, middle(costs, Backend.Cost::trips) / times,
            Count.PAGES, middle(costs, Backend.Cost::pages) / times,
            Count.WAL, middle(costs, Backend.Cost::wal) / times,
            Count.RECORDS, middle(costs, Backend.Cost::records) / times,
            Count.ALLOCATED, least(costs, Backend.Cost::allocated) / times,
            Count.CPU, least(costs, Backend.Cost::nanos) / times / unit));
  }

  /**
   * Returns the median of all rounds, because the session may plan a statement again in one of
   * them.
   */
  private static double middle(List<Backend.Cost> costs, ToLongFunction<Backend.Cost> count) {
    return costs.stream().mapToLong(count).sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
  }

  private static double least(List<Backend.Cost> costs, ToLongFunction<Backend.Cost> count) {
    return costs.stream().mapToLong(count).min().orElseThrow();
  }

  /** Returns the names of all operations, in the order of the file. */
  static List<String> names() {
    return Stream.of(Kind.values())
        .flatMap(k -> Operation.of(k).map(o -> Line.name(k.contender, o.name())))
        .toList();
  }

  Map<String, Line> read() throws IOException {
    Map<String, Line> lines = new LinkedHashMap<>();
    if (Files.exists(kept)) {
      for (String text : Files.readAllLines(kept)) {
        if (!text.isBlank() && !text.startsWith(COMMENT)) {
          Line line = Line.parse(text);
          lines.put(line.name(), line);
        }
      }
    }
    return lines;
  }

  private void write(List<Line> lines) throws IOException {
    Stream<String> head =
        Stream.of("What a call costs: benchmarks/run guard --accept", Line.header())
            .map(COMMENT::concat);
    Files.write(kept, Stream.concat(head, lines.stream().map(Line::text)).toList());
  }
}
