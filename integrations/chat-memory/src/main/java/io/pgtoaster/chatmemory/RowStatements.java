package io.pgtoaster.chatmemory;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs statements on rows in the same transactions as the calls on their documents. */
@FunctionalInterface
public interface RowStatements {
  /** Statements on a connection. */
  @FunctionalInterface
  interface Work {
    /**
     * Runs the statements.
     *
     * @param connection to use; it stays open
     * @throws SQLException if the server reports an error
     */
    void run(Connection connection) throws SQLException;
  }

  /**
   * Runs the work on a connection, and commits unless the caller has an open transaction.
   *
   * @param work to run
   * @throws SQLException if the server reports an error
   */
  void run(Work work) throws SQLException;

  /**
   * Returns whether the calling thread has a transaction, which may be rolled back later.
   *
   * @return false if each call commits
   */
  default boolean inTransaction() {
    return false;
  }

  /**
   * Runs an action when the transaction of the calling thread ends without a commit.
   *
   * @param action to run in the same thread; never runs without a transaction
   */
  default void onRollback(Runnable action) {}

  /**
   * Returns statements that run on a new connection each time.
   *
   * @param dataSource source of the connections
   * @return statements that run outside the caller's transactions
   */
  static RowStatements on(DataSource dataSource) {
    return work -> {
      try (Connection connection = dataSource.getConnection()) {
        work.run(connection);
        if (!connection.getAutoCommit()) {
          connection.commit();
        }
      }
    };
  }
}
