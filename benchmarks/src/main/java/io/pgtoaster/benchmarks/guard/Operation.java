package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import java.util.stream.Stream;

/**
 * A kind of call whose cost is kept.
 *
 * @param name in the lines
 * @param times calls of a round
 * @param extension whether only the extension can do it
 * @param alone whether it looks for its column in catalogs, which should have no others in them
 * @param opener of its subject
 */
record Operation(String name, int times, boolean extension, boolean alone, Opener opener) {
  /** Makes what the calls of all rounds need. */
  @FunctionalInterface
  interface Opener {
    Subject open(Workplace workplace, int rounds) throws Exception;
  }

  /** The operations of one kind of database, in the order in which they are counted. */
  static Stream<Operation> of(Kind kind) {
    return Stream.of(BlobOperations.all(), DocumentOperations.all(), EntityOperations.all())
        .flatMap(s -> s)
        .filter(o -> kind == Kind.EXTENSION || !o.extension());
  }
}
