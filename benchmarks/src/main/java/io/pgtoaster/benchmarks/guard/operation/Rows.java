package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.column.ColumnName;
import java.sql.Connection;
import java.util.List;
import java.util.stream.LongStream;

/** A table with an attached column and rows from 1, one for each round or for each call. */
abstract class Rows implements Operation.Subject {
  /** Rows inserted by operations have larger keys. */
  static final long NEW = 1_000_000;

  /** The keys of the first 20 rows. */
  static final List<Long> FIRST_20 = LongStream.rangeClosed(1, 20).boxed().toList();

  final Workplace workplace;
  final Connection session;
  final String table;
  final ColumnName name;
  private final int perRound;

  /** Key of the current call's row. */
  long id;

  /** Number of the current call in its round. */
  int i;

  /**
   * Creates the table.
   *
   * @param column type of the column, its toaster, and the options of the toaster as JSON
   * @param rows number of rows
   * @param perRound rows per round; 0 if all calls of a round share a row
   */
  Rows(Workplace workplace, List<String> column, int rows, int perRound) throws Exception {
    this.workplace = workplace;
    this.session = workplace.session();
    this.table = workplace.table(column.get(0), column.get(1), column.get(2), rows);
    this.name = ColumnName.of("bench", table, "data");
    this.perRound = perRound;
  }

  /** Performs the current call of an operation. */
  @FunctionalInterface
  interface Call<R extends Rows> {
    void run(R rows) throws Exception;
  }

  /** Runs work in a transaction; otherwise the session is in autocommit mode. */
  final void inTransaction(Backend.Work work) throws Exception {
    session.setAutoCommit(false);
    work.run();
    session.setAutoCommit(true);
  }

  @Override
  public final Backend backend() {
    return workplace.backend();
  }

  @Override
  public final void call(int round, int number) throws Exception {
    id = perRound == 0 ? round + 1L : (long) round * perRound + number + 1;
    i = number;
    call();
  }

  abstract void call() throws Exception;

  static void check(long found, long expected) {
    if (found != expected) {
      throw new IllegalStateException(found + " instead of " + expected);
    }
  }
}
