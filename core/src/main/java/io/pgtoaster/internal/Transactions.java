package io.pgtoaster.internal;

import io.pgtoaster.internal.sql.SqlFunction;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one transaction on one connection. */
public final class Transactions {
  private Transactions() {}

  /**
   * Runs work and commits, unless the work has committed; rolls back if it throws. Restores the
   * autocommit mode. A failure after the commit is not reported.
   *
   * @throws SQLException if the transaction was certainly not committed
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke during the commit
   */
  public static <T extends @Nullable Object> T run(Connection connection, SqlFunction<T> work)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (autoCommit) {
      connection.setAutoCommit(false);
    }
    boolean committing = false;
    T result;
    try {
      result = work.apply(connection);
      committing = true;
      connection.commit();
    } catch (SQLException | RuntimeException | Error e) {
      undo(connection, autoCommit, e);
      if (committing && e instanceof SQLException s && SqlErrors.mayBeCommitted(s)) {
        throw SqlErrors.translateAtCommit(s);
      }
      throw e;
    }
    restoreOrClose(connection, autoCommit);
    return result;
  }

  /**
   * Runs one statement in autocommit mode. If there is none or it did nothing, runs work in a
   * transaction. Restores the autocommit mode. A failure after the commit is not reported.
   *
   * @throws SQLException if certainly nothing was committed
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke during a commit
   */
  static <T extends @Nullable Object> T run(
      Connection connection, @Nullable SqlFunction<Optional<T>> one, SqlFunction<T> work)
      throws SQLException {
    if (one == null) {
      return run(connection, work);
    }
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.setAutoCommit(true);
    }
    Optional<T> result;
    try {
      result = one.apply(connection);
    } catch (SQLException | RuntimeException | Error e) {
      try {
        restore(connection, autoCommit);
      } catch (SQLException restoring) {
        e.addSuppressed(restoring);
      }
      if (e instanceof SQLException s && SqlErrors.mayBeCommitted(s)) {
        throw SqlErrors.translateAtCommit(s);
      }
      throw e;
    }
    if (result.isEmpty()) {
      restore(connection, autoCommit);
      return run(connection, work);
    }
    restoreOrClose(connection, autoCommit);
    return result.get();
  }

  /**
   * Runs one statement within an open transaction. If there is none or it did nothing, runs work in
   * a savepoint, so that its changes are undone if it throws. The single statement has none: more
   * than 64 subtransactions in a transaction slow down all sessions.
   */
  static <T extends @Nullable Object> T join(
      Connection connection, @Nullable SqlFunction<Optional<T>> one, SqlFunction<T> work)
      throws SQLException {
    Optional<T> done = one == null ? Optional.empty() : one.apply(connection);
    if (done.isPresent()) {
      return done.get();
    }
    Savepoint savepoint = connection.setSavepoint();
    T result;
    try {
      result = work.apply(connection);
    } catch (SQLException | RuntimeException | Error e) {
      undo(connection, savepoint, e);
      throw e;
    }
    connection.releaseSavepoint(savepoint);
    return result;
  }

  private static void undo(Connection connection, Savepoint savepoint, Throwable reason) {
    try {
      if (!connection.isClosed()) {
        connection.rollback(savepoint);
        connection.releaseSavepoint(savepoint);
      }
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }

  /**
   * Restores the autocommit mode. Pools close broken connections, whose mode cannot be restored.
   */
  private static void restore(Connection connection, boolean autoCommit) throws SQLException {
    if (!connection.isClosed() && connection.getAutoCommit() != autoCommit) {
      connection.setAutoCommit(autoCommit);
    }
  }

  /**
   * Restores the mode of a connection whose work is done, or closes it, because in the wrong mode
   * it would not commit the next call.
   */
  static void restoreOrClose(Connection connection, boolean autoCommit) {
    try {
      restore(connection, autoCommit);
    } catch (SQLException | RuntimeException e) {
      close(connection);
    }
  }

  /** Closes a connection whose work is done; a failure to close it is only logged. */
  static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      System.getLogger("io.pgtoaster").log(Level.DEBUG, "a connection cannot be closed", e);
    }
  }

  private static void undo(Connection connection, boolean autoCommit, Throwable reason) {
    try {
      if (!connection.isClosed()) {
        connection.rollback();
        restore(connection, autoCommit);
      }
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
