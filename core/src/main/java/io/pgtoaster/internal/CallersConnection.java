package io.pgtoaster.internal;

import java.sql.Connection;

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
  public Lease connect() {
    return new CallersLease(connection);
  }

  @Override
  public Lease lease() {
    return connect();
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
