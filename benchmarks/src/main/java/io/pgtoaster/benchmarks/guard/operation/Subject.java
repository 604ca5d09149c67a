package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Backend;
import java.sql.SQLException;

/** What the calls of an operation work on. */
public interface Subject extends AutoCloseable {
  /** The session that runs the operations. */
  Backend backend();

  /**
   * Does one call.
   *
   * @param round from 0
   * @param call of the round, from 0
   */
  void call(int round, int call) throws Exception;

  @Override
  default void close() throws SQLException {}
}
