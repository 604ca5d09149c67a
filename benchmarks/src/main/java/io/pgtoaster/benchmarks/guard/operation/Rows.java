package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Workplace;
import java.sql.Connection;
import java.sql.SQLException;

/** A table with an attached column: rows from 1 on, one for each round or for each call. */
abstract class Rows implements Subject {
  /** Rows that an operation inserts have their number beyond this. */
  static final long NEW = 1_000_000;

  final Workplace workplace;
  final Connection session;
  final String table;
  private final int perRound;

  /**
   * Makes the table.
   *
   * @param rows how many there are
   * @param perRound 0 where the calls of a round share a row
   */
  Rows(Workplace workplace, Column column, int rows, int perRound) throws SQLException {
    this.workplace = workplace;
    this.session = workplace.session();
    this.table = workplace.table(column.type(), column.toaster(), column.options(), rows);
    this.perRound = perRound;
  }

  /**
   * What an operation calls.
   *
   * @param <R> where
   */
  @FunctionalInterface
  interface Call<R extends Rows> {
    /**
     * Does it.
     *
     * @param rows where
     * @param id of the row
     * @param i number of the call in its round
     */
    void run(R rows, long id, int i) throws Exception;
  }

  /** What is called for a row where nothing is to be done. */
  static void nothing(Rows rows, long id, int i) {}

  /** Does something in a transaction of the session, which is in autocommit otherwise. */
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
