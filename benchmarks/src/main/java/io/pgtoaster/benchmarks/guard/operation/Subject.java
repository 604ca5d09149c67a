package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.server.Backend;
import java.sql.SQLException;

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
