package io.pgtoaster.it.kit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of one test class. */
public final class Database {
  private final Server server;
  private final String name;
  private Connection helper;

  Database(Server server, String name) {
    this.server = server;
    this.name = name;
  }

  public Server server() {
    return server;
  }

  public String name() {
    return name;
  }

  /** A new connection of the superuser. */
  public Connection connect() throws SQLException {
    return connect(server.user());
  }

  public Connection connect(String user) throws SQLException {
    return server.connect(name, user);
  }

  /** Unpooled connections. */
  public DataSource dataSource() {
    return dataSource(server.user(), server.port());
  }

  public DataSource dataSource(String user) {
    return dataSource(user, server.port());
  }

  /** Unpooled connections through another port, where a proxy listens. */
  public PGSimpleDataSource dataSource(String user, int port) {
    return server.dataSource(name, user, port);
  }

  /** Pooled connections, opened as they are needed. */
  public HikariDataSource pool(int size) {
    return pool(size, "");
  }

  /** Pooled connections that run a statement first. */
  public HikariDataSource pool(int size, String first) {
    return pool(dataSource(), size, first);
  }

  static HikariDataSource pool(DataSource of, int size, String first) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(of);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(Wait.DEADLINE.toMillis());
    if (!first.isEmpty()) {
      config.setConnectionInitSql(first);
    }
    return new HikariDataSource(config);
  }

  /** Ends the connection that is kept. */
  public synchronized void close() throws SQLException {
    if (helper != null) {
      helper.close();
    }
  }

  public void run(String... statements) {
    try (Connection c = connect()) {
      Sql.run(c, statements);
    } catch (SQLException e) {
      throw new AssertionError(String.join("; ", statements), e);
    }
  }

  /** Runs statements without any trigger, as damage comes about that triggers would refuse. */
  public void runWithoutTriggers(String... statements) {
    try (Connection c = connect()) {
      Sql.run(c, "SET session_replication_role = replica");
      Sql.run(c, statements);
    } catch (SQLException e) {
      throw new AssertionError(String.join("; ", statements), e);
    }
  }

  public String string(String sql) {
    List<String> rows = strings(sql);
    if (rows.isEmpty()) {
      throw new AssertionError("no row: " + sql);
    }
    return rows.get(0);
  }

  /** The first column of all rows, asked for on a connection that is kept. */
  public synchronized List<String> strings(String sql) {
    try {
      return onKept(c -> Sql.strings(c, sql));
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Runs a statement that waits for nobody and sets nothing, on the connection that is kept. */
  synchronized void update(String sql) {
    try {
      onKept(
          c -> {
            Sql.run(c, sql);
            return sql;
          });
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Something done on a connection. */
  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Once more on a new connection if the one that is kept does not live: the server restarted. */
  private <T> T onKept(Work<T> work) throws SQLException {
    if (helper != null) {
      try {
        return work.on(helper);
      } catch (SQLException e) {
        if (helper.isValid(5)) {
          throw e;
        }
      }
    }
    helper = connect();
    return work.on(helper);
  }

  public long number(String sql) {
    String text = string(sql);
    return text == null ? 0 : Long.parseLong(text);
  }

  /** Waits until a number of sessions of this database wait for a lock. */
  public void awaitLockWaiters(int count) {
    awaitNumber(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname ="
            + " current_database()",
        n -> n >= count);
  }

  /** Waits until the result of a query satisfies a condition. */
  public void awaitNumber(String sql, Predicate<Long> condition) {
    Wait.until(sql, () -> condition.test(number(sql)));
  }
}
