package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kind of call whose cost is kept.
 *
 * @param name in the lines
 * @param times calls of a round
 * @param kinds of the databases in which it costs something of its own
 * @param alone whether it looks for its column in catalogs, which should have no others in them
 * @param opener of its subject
 */
public record Operation(String name, int times, Set<Kind> kinds, boolean alone, Opener opener) {
  /** Makes what the calls of all rounds need. */
  @FunctionalInterface
  public interface Opener {
    Subject open(Workplace workplace, int rounds) throws Exception;
  }

  /** One that each executor does in its own way. */
  static Operation of(String name, int times, Opener opener) {
    return new Operation(name, times, Set.of(Kind.PLAIN, Kind.EXTENSION), false, opener);
  }

  /** The same, in a database of its own. */
  Operation byItself() {
    return new Operation(name, times, kinds, true, opener);
  }

  /** The same, in databases of some kinds only. */
  Operation by(Set<Kind> only) {
    return new Operation(name, times, only, alone, opener);
  }

  /** The same, with another subject. */
  Operation opened(Opener other) {
    return new Operation(name, times, kinds, alone, other);
  }

  /** The operations of one kind of database, in the order in which they are counted. */
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
