package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.guard.operation.Operation;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.server.Templates;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.spi.Toaster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the costs of each operation with each executor, and compares them with the saved ones.
 *
 * @param kept file of the saved counts
 * @param wanted matches the operations to count, as {@code executor | operation}
 * @param needed whether it fails if the extension is missing
 */
public record Guard(Path kept, Predicate<String> wanted, boolean needed) {
  /**
   * The kinds of databases, one per executor. {@link Toaster.Executor#SQL} is counted without the
   * extension. It includes the routines of a store, because its statements call them; columns
   * without such routines have their own operations. {@link Toaster.Executor#EXTENSION} is counted
   * with the extension. {@link Toaster.Executor#SERVER} is not counted: it needs a different
   * server, which many machines do not have, and whose counts differ. The functions for plain SQL,
   * and the operators that the extension's hooks replace, are counted separately.
   */
  private static final List<Kind> KINDS = List.of(Kind.PLAIN, Kind.EXTENSION);

  private static final String COMMENT = "# ";

  /** How often an operation is counted again if it seems to use more processor time. */
  private static final int TRIES = 3;

  /**
   * Counts on an otherwise idle server, and prints the result.
   *
   * @param target the server
   * @param accept whether to save the new counts
   * @return false if no operation matches, or if a count is worse and is not accepted
   */
  public boolean run(Target target, boolean accept) throws Exception {
    target.use();
    Templates.make(target);
    boolean extension = Templates.has(target, Kind.EXTENSION);
    List<Line> before = read();
    List<Line> lines = new ArrayList<>();
    System.out.println(Line.header());
    for (Kind kind : extension ? KINDS : List.of(Kind.PLAIN)) {
      try (Workplace shared = new Workplace(kind)) {
        for (Operation operation : Operation.of(kind).toList()) {
          String name = Counting.name(kind, operation);
          if (wanted.test(name)) {
            Line line = count(shared, operation, find(before, name));
            System.out.println(line.text());
            lines.add(line);
          }
        }
      }
    }
    if (lines.isEmpty()) {
      System.out.println("no operation matches");
      return false;
    }
    Comparison comparison =
        new Comparison(
            before,
            lines,
            name ->
                wanted.test(name) && (extension || needed || !Counting.isOf(Kind.EXTENSION, name)));
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
    if (!operation.isAlone()) {
      return countAgain(shared, operation, before);
    }
    try (Workplace own = new Workplace(shared.kind())) {
      return countAgain(own, operation, before);
    }
  }

  /**
   * Counts an operation, and repeats it if it seems slow: other load rarely lasts through all
   * attempts. Each repetition has its own database, because another table in the shared one would
   * make its catalogs larger.
   */
  private static Line countAgain(Workplace workplace, Operation operation, @Nullable Line before)
      throws Exception {
    Line line = Counting.of(workplace, operation);
    for (int i = 0; i < TRIES && before != null && Count.CPU.moved(before, line) > 0; i++) {
      try (Workplace own = new Workplace(workplace.kind())) {
        line = line.orLess(Count.CPU, Counting.of(own, operation));
      }
    }
    return line;
  }

  private static @Nullable Line find(List<Line> lines, String name) {
    return lines.stream().filter(l -> l.name().equals(name)).findFirst().orElse(null);
  }

  /** Returns the names of all operations, in the order of the file. */
  static List<String> names() {
    return KINDS.stream().flatMap(k -> Operation.of(k).map(o -> Counting.name(k, o))).toList();
  }

  List<Line> read() throws IOException {
    if (!Files.exists(kept)) {
      return List.of();
    }
    return Files.readAllLines(kept).stream()
        .filter(line -> !line.isBlank() && !line.startsWith(COMMENT))
        .map(Line::parse)
        .toList();
  }

  private void write(List<Line> lines) throws IOException {
    Stream<String> head =
        Stream.of("What a call costs: benchmarks/run guard --accept", Line.header())
            .map(COMMENT::concat);
    Files.write(kept, Stream.concat(head, lines.stream().map(Line::text)).toList());
  }
}
