package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Workplace;
import java.sql.Connection;
import java.sql.SQLException;

/** A table with an attached column: rows from 1 on, one for each round or for each call. */
abstract class Rows implements Subject {
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
  Rows(Workplace workplace, String type, String toaster, int rows, int perRound)
      throws SQLException {
    this.workplace = workplace;
    this.session = workplace.session();
    this.table = workplace.table(type, toaster, rows);
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
