package io.pgtoaster.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens on channel {@code pgtoaster} for all followers, on one connection. It holds the
 * connection only while there are followers. Notifications may be missed while the connection is
 * down; followers therefore also poll. Thread-safe.
 */
public final class Notifications {
  private static final int WAIT_MILLIS = 500;
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final DataSource dataSource;
  private final Map<String, Set<Runnable>> listeners = new ConcurrentHashMap<>();
  private @Nullable Thread thread;

  Notifications(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** A subscription to one payload. */
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** Subscribes to a payload. The listening thread runs the listener, which must be quick. */
  public Subscription subscribe(String payload, Runnable listener) {
    synchronized (this) {
      listeners.computeIfAbsent(payload, p -> new CopyOnWriteArraySet<>()).add(listener);
      if (thread == null) {
        Thread started = new Thread(this::run, "pgtoaster-notifications");
        started.setDaemon(true);
        started.start();
        thread = started;
      }
    }
    return () -> unsubscribe(payload, listener);
  }

  private synchronized void unsubscribe(String payload, Runnable listener) {
    Set<Runnable> set = listeners.get(payload);
    if (set != null) {
      set.remove(listener);
      if (set.isEmpty()) {
        listeners.remove(payload);
      }
    }
  }

  /** Returns whether the thread should end. The next subscriber then starts another one. */
  private synchronized boolean isIdle() {
    if (listeners.isEmpty()) {
      thread = null;
      return true;
    }
    return false;
  }

  private void run() {
    while (!isIdle()) {
      try (Connection connection = dataSource.getConnection()) {
        listen(connection);
      } catch (SQLException | RuntimeException e) {
        // Followers poll anyway, and report if the data source is closed or cannot connect.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      throw new SQLException("not a connection of the PostgreSQL driver");
    }
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(true);
    PGConnection pg = connection.unwrap(PGConnection.class);
    try (Statement s = connection.createStatement()) {
      s.execute("LISTEN pgtoaster");
      try {
        receive(pg);
      } finally {
        s.execute("UNLISTEN pgtoaster");
      }
    } catch (SQLException | RuntimeException e) {
      // The connection may still listen, so do not return it to the pool.
      connection.abort(Runnable::run);
      throw e;
    }
    connection.setAutoCommit(autoCommit);
  }

  private void receive(PGConnection pg) throws SQLException {
    while (!listeners.isEmpty()) {
      PGNotification[] received = pg.getNotifications(WAIT_MILLIS);
      if (received != null) {
        for (PGNotification notification : received) {
          listeners.getOrDefault(notification.getParameter(), Set.of()).forEach(Runnable::run);
        }
      }
    }
  }
}
