package io.pgtoaster.spring.actuate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work in only one of several instances of an application. It uses a session-level advisory
 * lock, which the server releases however the session ends. The work runs in the session that has
 * the lock, so it cannot continue without the lock.
 */
record OneInstance(DataSource dataSource) {
  private static final Logger LOG = LoggerFactory.getLogger(OneInstance.class);

  /** Work for one instance, on a connection in autocommit mode. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs work, unless another instance is already running it. */
  <T> Optional<T> run(long key, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(true);
      Optional<T> result = Optional.empty();
      if (ask(connection, "SELECT pg_catalog.pg_try_advisory_lock(?)", key)) {
        result = Optional.of(locked(connection, key, work));
      }
      if (!connection.isClosed()) {
        connection.setAutoCommit(autoCommit);
      }
      return result;
    }
  }

  private static <T> T locked(Connection connection, long key, Work<T> work) throws SQLException {
    T result;
    try {
      result = work.run(connection);
    } catch (SQLException | RuntimeException | Error e) {
      // The session may still have the lock, so do not return it to the pool.
      connection.abort(Runnable::run);
      throw e;
    }
    try {
      if (!ask(connection, "SELECT pg_catalog.pg_advisory_unlock(?)", key)) {
        LOG.warn(
            "the lock of a job was lost; a pooler in front of the server must preserve sessions");
      }
    } catch (SQLException e) {
      LOG.warn("the lock of a job cannot be released; its session is closed", e);
      connection.abort(Runnable::run);
    }
    return result;
  }

  private static boolean ask(Connection connection, String sql, long key) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setLong(1, key);
      try (ResultSet r = s.executeQuery()) {
        return r.next() && r.getBoolean(1);
      }
    }
  }
}
