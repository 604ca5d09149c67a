package io.pgtoaster.internal;

import io.pgtoaster.spi.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Each call takes a connection from the data source and is a transaction of its own. Thread-safe if
 * the data source is.
 */
public final class OwnConnections implements Connections {
  private final DataSource dataSource;
  private final boolean anyThread;
  private final Notifications notifications;

  /**
   * Creates connections from a data source.
   *
   * @param dataSource gives PostgreSQL connections; best a pool
   */
  public OwnConnections(DataSource dataSource) {
    this(dataSource, true);
  }

  private OwnConnections(DataSource dataSource, boolean anyThread) {
    this.dataSource = dataSource;
    this.anyThread = anyThread;
    this.notifications = new Notifications(dataSource);
  }

  /**
   * Returns the notifications of this data source.
   *
   * @return the only instance here
   */
  public Notifications notifications() {
    return notifications;
  }

  @Override
  public <T extends @Nullable Object> T inTransaction(boolean repeatable, SqlFunction<T> work) {
    return retried(repeatable, connection -> Transactions.run(connection, work));
  }

  /** A pool that is exhausted is no connection that broke: trying again makes the queue longer. */
  private Connection connect() throws SQLException {
    try {
      return dataSource.getConnection();
    } catch (SQLException e) {
      if (SqlErrors.isNoneToGive(e)) {
        throw SqlErrors.noneToGive(e);
      }
      throw e;
    }
  }

  private <T extends @Nullable Object> T retried(boolean repeatable, SqlFunction<T> work) {
    return Retries.run(
        repeatable,
        () -> {
          try (Connection connection = connect()) {
            return work.apply(connection);
          }
        });
  }

  @Override
  public <T> T writeOrTransact(SqlFunction<Optional<T>> one, SqlFunction<T> otherwise) {
    return retried(true, connection -> Transactions.writeOrRun(connection, one, otherwise));
  }

  @Override
  public <T extends @Nullable Object> T read(SqlFunction<T> work) {
    return retried(true, connection -> Transactions.autocommitted(connection, work));
  }

  @Override
  public Lease lease() {
    try {
      return lease(connect());
    } catch (SQLException e) {
      throw SqlErrors.translate(e);
    }
  }

  private static Lease lease(Connection connection) throws SQLException {
    try {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(true);
      return new OwnLease(connection, autoCommit);
    } catch (SQLException | RuntimeException e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  @Override
  public boolean own() {
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

  private record OwnLease(Connection connection, boolean autoCommit) implements Lease {
    @Override
    public void close() throws SQLException {
      try (Connection closing = connection) {
        if (!closing.isClosed()) {
          closing.setAutoCommit(autoCommit);
        }
      }
    }
  }
}
