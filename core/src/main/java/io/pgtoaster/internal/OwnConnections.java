package io.pgtoaster.internal;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Takes a connection from the data source for each call, and runs the call in a separate
 * transaction. Thread-safe if the data source is.
 */
public final class OwnConnections implements Connections {
  private final DataSource dataSource;
  private final boolean anyThread;
  private final Notifications notifications;

  /** Creates connections from a data source, preferably a pool. */
  public OwnConnections(DataSource dataSource) {
    this(dataSource, true);
  }

  private OwnConnections(DataSource dataSource, boolean anyThread) {
    this.dataSource = dataSource;
    this.anyThread = anyThread;
    this.notifications = new Notifications(dataSource);
  }

  /** Returns the notifications of this data source. */
  public Notifications notifications() {
    return notifications;
  }

  @Override
  public Lease connect() {
    try {
      return new OwnLease(dataSource.getConnection(), false);
    } catch (SQLException e) {
      throw SqlErrors.notConnected(e);
    }
  }

  @Override
  public Lease lease() {
    Lease lease = connect();
    try {
      Connection connection = lease.connection();
      if (connection.getAutoCommit()) {
        return lease;
      }
      connection.setAutoCommit(true);
      return new OwnLease(connection, true);
    } catch (SQLException | RuntimeException e) {
      lease.close();
      throw e instanceof SQLException s ? SqlErrors.translate(s) : (RuntimeException) e;
    }
  }

  @Override
  public boolean connectionPerCall() {
    return true;
  }

  @Override
  public boolean anyThread() {
    return anyThread;
  }

  @Override
  public OwnConnections inCallersThread() {
    return new OwnConnections(dataSource, false);
  }

  /**
   * A connection of the data source.
   *
   * @param manual whether autocommit was off and must be turned off again
   */
  private record OwnLease(Connection connection, boolean manual) implements Lease {
    @Override
    public void close() {
      if (manual) {
        Transactions.restoreOrClose(connection, false);
      }
      Transactions.close(connection);
    }
  }
}
