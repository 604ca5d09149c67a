package io.pgtoaster.it.kit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of one test class. */
public final class Database {
  private final Server server;
  private final String name;
  private final String schema;
  private Connection kept;

  Database(Server server, String name) {
    this(server, name, null);
  }

  /** A schema of a shared database, in which tests create everything. */
  Database(Server server, String name, String schema) {
    this.server = server;
    this.name = name;
    this.schema = schema;
  }

  public Server server() {
    return server;
  }

  public String name() {
    return name;
  }

  /** The schema in which tests create everything. */
  public String schema() {
    return schema == null ? "public" : schema;
  }

  /** If the server belongs to a cluster, distributes the schema, or the table by rows. */
  void distribute(boolean rows) {
    if (schema != null) {
      run("SELECT pgtoaster.distribute(" + (rows ? "'item'::regclass)" : "'" + schema + "')"));
    }
  }

  /** A new connection of the superuser. */
  public Connection connect() throws SQLException {
    return connect(server.user());
  }

  public Connection connect(String user) throws SQLException {
    return dataSource(user).getConnection();
  }

  /** Unpooled connections. */
  public DataSource dataSource() {
    return dataSource(server.user());
  }

  public DataSource dataSource(String user) {
    DataSource source = dataSource(user, server.port());
    return Traps.EVERYWHERE ? Traps.marking(source) : source;
  }

  /** Unpooled connections through another port, where a proxy listens. */
  public PGSimpleDataSource dataSource(String user, int port) {
    PGSimpleDataSource source = server.dataSource(name, user, port);
    source.setCurrentSchema(schema);
    return source;
  }

  /** Pooled connections that are opened on demand. */
  public HikariDataSource pool(int size) {
    return pool(size, "");
  }

  /** Pooled connections of a role. */
  public HikariDataSource pool(String user, int size) {
    return pool(dataSource(user), size, "");
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

  /** Closes the reused connection. */
  public synchronized void close() throws SQLException {
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }

  /** Runs statements, then resets the session. */
  public void run(String... statements) {
    onKept(
        String.join("; ", statements),
        c -> {
          Sql.run(c, statements);
          Sql.run(c, "DISCARD ALL");
          return statements;
        });
  }

  /** Sets a parameter for all new sessions. */
  void set(String parameter, String value) {
    run("ALTER DATABASE " + name + " SET " + parameter + " = " + value);
    try {
      close();
    } catch (SQLException e) {
      throw new AssertionError(parameter, e);
    }
  }

  /** Runs a statement that changes no setting of the session. */
  public void update(String sql) {
    onKept(
        sql,
        c -> {
          Sql.run(c, sql);
          return sql;
        });
  }

  /**
   * Runs statements without triggers, to create damage that triggers would prevent. The statements
   * see documents as stored in the rows.
   */
  public void runWithoutTriggers(String... statements) {
    run(
        Stream.concat(
                Stream.of("SET session_replication_role = replica"),
                Arrays.stream(statements).map(s -> "/* pgtoaster */ " + s))
            .toArray(String[]::new));
  }

  public String string(String sql) {
    List<String> rows = strings(sql);
    if (rows.isEmpty()) {
      throw new AssertionError("no row: " + sql);
    }
    return rows.get(0);
  }

  /** Returns the first column of all rows. */
  public List<String> strings(String sql) {
    return onKept(sql, c -> Sql.strings(c, sql));
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /**
   * Reuses one connection, because a new one takes longer than most statements. Opens another one
   * while it is in use, or after a restart of the server.
   */
  private <T> T onKept(String what, Work<T> work) {
    try {
      Connection c = take();
      T result;
      try {
        result = work.on(c);
      } catch (SQLException e) {
        c.close();
        throw e;
      }
      keep(c);
      return result;
    } catch (SQLException e) {
      throw new AssertionError(what, e);
    }
  }

  private Connection take() throws SQLException {
    Connection c;
    synchronized (this) {
      c = kept;
      kept = null;
    }
    return c != null && c.isValid(5) ? c : connect();
  }

  private void keep(Connection c) throws SQLException {
    synchronized (this) {
      if (kept == null) {
        kept = c;
        return;
      }
    }
    c.close();
  }

  public long number(String sql) {
    String text = string(sql);
    return text == null ? 0 : Long.parseLong(text);
  }

  /** Waits until this many sessions of the database wait for a lock. */
  public void awaitLockWaiters(int count) {
    awaitNumber(
        "SELECT count(*) FROM %s WHERE wait_event_type = 'Lock' AND datname = current_database()"
            // Check all nodes, because the waiting session is a worker's.
            .formatted(schema == null ? "pg_stat_activity" : "citus_stat_activity"),
        n -> n >= count);
  }

  /** Terminates the backend of a session, or on Citus the session's backends on other nodes. */
  public void endServersOf(Connection session) throws SQLException {
    if (schema == null) {
      run(
          "SELECT pg_terminate_backend("
              + Sql.number(session, "SELECT pg_backend_pid()")
              + ", 30000)");
      return;
    }
    String ended =
        string(
            """
            SELECT string_agg(DISTINCT r.result, ', ') FROM run_command_on_all_nodes(
              'SELECT bool_and(pg_terminate_backend(pid, 30000)) FROM pg_stat_activity
               WHERE application_name = ''citus_internal gpid=%d'' AND pid <> pg_backend_pid()') r
            WHERE r.result <> ''
            """
                .formatted(Sql.number(session, "SELECT citus_backend_gpid()")));
    if (!"t".equals(ended)) {
      throw new AssertionError("sessions on other nodes ended: " + ended);
    }
  }

  /** Waits until the result of a query satisfies a condition. */
  public void awaitNumber(String sql, Predicate<Long> condition) {
    Wait.until(sql, () -> condition.test(number(sql)));
  }
}
