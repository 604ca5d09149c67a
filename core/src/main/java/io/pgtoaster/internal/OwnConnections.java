package io.pgtoaster.internal;

import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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

  /**
   * Takes a connection; throws an exception that explains a failure. Only a lost connection is
   * worth another attempt.
   */
  private Lease connect() throws SQLException {
    try {
      return new OwnLease(dataSource.getConnection(), false);
    } catch (SQLException e) {
      throw SqlErrors.notConnected(e);
    }
  }

  @Override
  public <T extends @Nullable Object> T inTransaction(boolean repeatable, SqlFunction<T> work) {
    Attempts attempts = new Attempts(repeatable);
    while (true) {
      try (Lease lease = connect()) {
        return Transactions.run(lease.connection(), work);
      } catch (SQLException e) {
        attempts.failed(e);
      }
    }
  }

  @Override
  public <T> T writeOrTransact(SqlFunction<Optional<T>> one, SqlFunction<T> otherwise) {
    Attempts attempts = new Attempts(true);
    while (true) {
      try (Lease lease = connect()) {
        return Transactions.writeOrRun(lease.connection(), one, otherwise);
      } catch (SQLException e) {
        attempts.failed(e);
      }
    }
  }

  @Override
  public <T extends @Nullable Object> T read(SqlFunction<T> work) {
    Attempts attempts = new Attempts(true);
    while (true) {
      try (Lease lease = autocommitting()) {
        return work.apply(lease.connection());
      } catch (SQLException e) {
        attempts.failed(e);
      }
    }
  }

  @Override
  public Lease lease() {
    try {
      return autocommitting();
    } catch (SQLException e) {
      throw SqlErrors.translate(e);
    }
  }

  private Lease autocommitting() throws SQLException {
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
      throw e;
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
