package io.pgtoaster.cli.connect;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.logging.Logger;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGConnectionPoolDataSource;

/**
 * Caches connections for reuse. A command uses one or two at a time, so no call waits for one. A
 * failed connection is not reused. Thread-safe.
 */
final class ConnectionCache implements DataSource, ConnectionEventListener, AutoCloseable {
  private final PGConnectionPoolDataSource source;
  private final Deque<PooledConnection> idle = new ArrayDeque<>();
  private boolean closed;

  ConnectionCache(Target target) throws SQLException {
    this.source = new PGConnectionPoolDataSource();
    source.setUrl(target.url());
    source.setApplicationName("pgtoaster");
    for (var property : target.properties().entrySet()) {
      source.setProperty(property.getKey(), property.getValue());
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    @Nullable PooledConnection pooled;
    synchronized (this) {
      pooled = idle.pollFirst();
    }
    if (pooled == null) {
      pooled = source.getPooledConnection();
      pooled.addConnectionEventListener(this);
    }
    return pooled.getConnection();
  }

  @Override
  public void connectionClosed(ConnectionEvent event) {
    PooledConnection pooled = (PooledConnection) event.getSource();
    synchronized (this) {
      if (!closed) {
        idle.addFirst(pooled);
        return;
      }
    }
    discard(pooled);
  }

  @Override
  public void connectionErrorOccurred(ConnectionEvent event) {
    PooledConnection pooled = (PooledConnection) event.getSource();
    pooled.removeConnectionEventListener(this);
    discard(pooled);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    idle.forEach(ConnectionCache::discard);
    idle.clear();
  }

  private static void discard(PooledConnection pooled) {
    try {
      pooled.close();
    } catch (SQLException e) {
      Logger.getLogger(ConnectionCache.class.getName()).fine(e::getMessage);
    }
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("user and password are fixed");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("no log writer");
  }

  @Override
  public int getLoginTimeout() {
    return source.getLoginTimeout();
  }

  @Override
  public void setLoginTimeout(int seconds) {
    source.setLoginTimeout(seconds);
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("io.pgtoaster");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("not a " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
