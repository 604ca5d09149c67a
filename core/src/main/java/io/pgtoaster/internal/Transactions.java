package io.pgtoaster.internal;

import io.pgtoaster.spi.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One transaction on one connection. */
public final class Transactions {
  private Transactions() {}

  /**
   * Runs work and commits, if the work has not; rolls back if it throws. The autocommit mode is put
   * back.
   *
   * @throws SQLException if it certainly was not committed
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke during the commit
   */
  public static <T extends @Nullable Object> T run(Connection connection, SqlFunction<T> work)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (autoCommit) {
      connection.setAutoCommit(false);
    }
    boolean committing = false;
    try {
      T result = work.apply(connection);
      committing = true;
      connection.commit();
      restore(connection, autoCommit);
      return result;
    } catch (SQLException | RuntimeException | Error e) {
      undo(connection, autoCommit, e);
      if (committing && e instanceof SQLException s && SqlErrors.mayBeCommitted(s)) {
        throw SqlErrors.translateAtCommit(s);
      }
      throw e;
    }
  }

  /**
   * Runs one statement that commits itself, and if it did nothing, other work in a transaction. The
   * autocommit mode is put back.
   *
   * @throws SQLException if certainly nothing was committed
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke during a commit
   */
  static <T> T writeOrRun(
      Connection connection, SqlFunction<Optional<T>> one, SqlFunction<T> otherwise)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.setAutoCommit(true);
    }
    Optional<T> result;
    try {
      result = one.apply(connection);
      restore(connection, autoCommit);
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
    return result.isPresent() ? result.get() : run(connection, otherwise);
  }

  /** Runs work within an open transaction; if it throws, nothing that it wrote stays. */
  static <T extends @Nullable Object> T nested(Connection connection, SqlFunction<T> work)
      throws SQLException {
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

  /** A connection of a pool that broke is closed, and answers no question about its mode. */
  static void restore(Connection connection, boolean autoCommit) throws SQLException {
    if (!connection.isClosed() && connection.getAutoCommit() != autoCommit) {
      connection.setAutoCommit(autoCommit);
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
