package io.pgtoaster.internal;

import io.pgtoaster.internal.Connections.Lease;
import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs everything on one connection of the caller, in its open transaction. In autocommit mode,
 * each call is a separate transaction. Inside the caller's transaction, a call with several writing
 * statements runs in a savepoint. If the call fails, the caller can still commit its other work. It
 * is as thread-safe as the connection.
 */
public final class CallersConnection implements Connections {
  private final Connection connection;

  /**
   * Wraps a connection, which remains the caller's: never closed, never committed while the caller
   * has an open transaction.
   */
  public CallersConnection(Connection connection) {
    this.connection = connection;
  }

  @Override
  public <T extends @Nullable Object> T inTransaction(boolean repeatable, SqlFunction<T> work) {
    try {
      if (!connection.getAutoCommit()) {
        return Transactions.nested(connection, work);
      }
    } catch (SQLException e) {
      throw SqlErrors.translate(e);
    }
    Attempts attempts = new Attempts(repeatable);
    while (true) {
      try {
        return Transactions.run(connection, work);
      } catch (SQLException e) {
        attempts.failed(e);
      }
    }
  }

  @Override
  public <T> T writeOrTransact(SqlFunction<Optional<T>> one, SqlFunction<T> otherwise) {
    try {
      if (!connection.getAutoCommit()) {
        Optional<T> result = one.apply(connection);
        if (result.isPresent()) {
          return result.get();
        }
        return Transactions.nested(connection, otherwise);
      }
    } catch (SQLException e) {
      throw SqlErrors.translate(e);
    }
    Attempts attempts = new Attempts(true);
    while (true) {
      try {
        return Transactions.writeOrRun(connection, one, otherwise);
      } catch (SQLException e) {
        attempts.failed(e);
      }
    }
  }

  @Override
  public <T extends @Nullable Object> T read(SqlFunction<T> work) {
    try {
      return work.apply(connection);
    } catch (SQLException e) {
      throw SqlErrors.translate(e);
    }
  }

  @Override
  public Lease lease() {
    return new CallersLease(connection);
  }

  @Override
  public boolean connectionPerCall() {
    return false;
  }

  private record CallersLease(Connection connection) implements Lease {
    @Override
    public void close() {
      // The caller closes the connection.
    }
  }
}
