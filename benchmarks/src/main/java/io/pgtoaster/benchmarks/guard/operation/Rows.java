package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Workplace;
import java.sql.Connection;
import java.sql.SQLException;

/** A table with an attached column and rows from 1, one for each round or for each call. */
abstract class Rows implements Subject {
  /** Rows inserted by operations have larger keys. */
  static final long NEW = 1_000_000;

  final Workplace workplace;
  final Connection session;
  final String table;
  private final int perRound;

  /**
   * Creates the table.
   *
   * @param rows number of rows
   * @param perRound rows per round; 0 if all calls of a round share a row
   */
  Rows(Workplace workplace, Column column, int rows, int perRound) throws SQLException {
    this.workplace = workplace;
    this.session = workplace.session();
    this.table = workplace.table(column.type(), column.toaster(), column.options(), rows);
    this.perRound = perRound;
  }

  /**
   * A call of an operation.
   *
   * @param <R> type of the rows
   */
  @FunctionalInterface
  interface Call<R extends Rows> {
    /**
     * Performs the call.
     *
     * @param rows the table
     * @param id key of the row
     * @param i number of the call in its round
     */
    void run(R rows, long id, int i) throws Exception;
  }

  /** Prepares nothing. */
  static void nothing(Rows rows, long id, int i) {}

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
  public final void call(int round, int i) throws Exception {
    call(perRound == 0 ? round + 1L : (long) round * perRound + i + 1, i);
  }

  abstract void call(long id, int i) throws Exception;
}
