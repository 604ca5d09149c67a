package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of call whose costs are saved.
 *
 * @param name name in the file
 * @param times calls per round
 * @param only the only kind of database in which it is counted; null for both
 * @param isAlone whether it queries the catalogs for its column; then it needs its own database, so
 *     that the catalogs contain no other columns
 * @param opener creates its subject
 */
public record Operation(
    String name, int times, @Nullable Kind only, boolean isAlone, Opener opener) {
  /** The data that the calls of an operation use. */
  public interface Subject extends AutoCloseable {
    /** The session that runs the operations. */
    Backend backend();

    /**
     * Performs one call.
     *
     * @param round number of the round, from 0
     * @param call number of the call in the round, from 0
     */
    void call(int round, int call) throws Exception;

    @Override
    default void close() throws SQLException {}
  }

  /** Creates the subject for all rounds. */
  @FunctionalInterface
  public interface Opener {
    Subject open(Workplace workplace, int rounds) throws Exception;
  }

  Operation(String name, int times, Opener opener) {
    this(name, times, null, false, opener);
  }

  /** Returns the same operation with its own database. */
  Operation alone() {
    return new Operation(name, times, only, true, opener);
  }

  /** Returns the same operation, but only for one kind of database. */
  Operation only(Kind kind) {
    return new Operation(name, times, kind, isAlone, opener);
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
        .filter(o -> o.only == null || o.only == kind);
  }
}
