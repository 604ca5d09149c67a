package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kind of call whose costs are saved.
 *
 * @param name name in the file
 * @param times calls per round
 * @param kinds kinds of databases in which its costs differ
 * @param alone whether it queries the catalogs for its column; then it needs its own database, so
 *     that the catalogs contain no other columns
 * @param opener creates its subject
 */
public record Operation(String name, int times, Set<Kind> kinds, boolean alone, Opener opener) {
  /** Creates the subject for all rounds. */
  @FunctionalInterface
  public interface Opener {
    Subject open(Workplace workplace, int rounds) throws Exception;
  }

  /** Returns an operation that each executor performs differently. */
  static Operation of(String name, int times, Opener opener) {
    return new Operation(name, times, Set.of(Kind.PLAIN, Kind.EXTENSION), false, opener);
  }

  /** Returns the same operation with its own database. */
  Operation byItself() {
    return new Operation(name, times, kinds, true, opener);
  }

  /** Returns the same operation, but only for some kinds of databases. */
  Operation by(Set<Kind> only) {
    return new Operation(name, times, only, alone, opener);
  }

  /** Returns the same operation with a different subject. */
  Operation opened(Opener other) {
    return new Operation(name, times, kinds, alone, other);
  }

  /**
   * Returns the operations for the given kind of database, in the order in which they are counted.
   */
  public static Stream<Operation> of(Kind kind) {
    return Stream.of(
            BlobOperations.all(),
            BlobStreamOperations.all(),
            DocumentOperations.all(),
            WholeDocumentOperations.all(),
            OtherColumns.all(),
            EntityOperations.all())
        .flatMap(s -> s)
        .filter(o -> o.kinds().contains(kind));
  }
}
