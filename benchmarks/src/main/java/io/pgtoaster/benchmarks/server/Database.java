package io.pgtoaster.benchmarks.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * A database of one trial, with the schema {@code bench} first on the search path. Closing it drops
 * it with all its content. Safe for several threads.
 */
public final class Database implements AutoCloseable {
  private static final String TABLES =
      "SELECT string_agg(c.oid::regclass::text, ', ') FROM pg_class c"
          + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm')"
          + " AND (n.nspname IN ('bench', 'pgtoaster') OR c.relname = 'pg_largeobject')";

  private final Target target;
  private final String name;
  private final Connection observer;
  private final Connection connection;
  private final List<Connection> sessions = new CopyOnWriteArrayList<>();

  private Database(Target target, Kind kind) throws SQLException {
    this.target = target;
    this.name = kind.database() + "_" + UUID.randomUUID().toString().substring(0, 8);
    this.observer = target.maintenance();
    try {
      Sql.run(observer, "CREATE DATABASE " + name + " TEMPLATE " + kind.database());
      this.connection = open();
      hurry(connection);
    } catch (SQLException e) {
      observer.close();
      throw e;
    }
  }

  /** Creates a database on the server of this process. */
  public static Database create(Kind kind) throws SQLException {
    return new Database(Target.current(), kind);
  }

  /** Returns a source of connections; the caller must close them. */
  public DataSource dataSource() {
    return target.dataSource(name);
  }

  private Connection open() throws SQLException {
    Connection made = dataSource().getConnection();
    Sql.run(made, "SET search_path = bench, public");
    return made;
  }

  /** Opens a session. Closing this database ends it. */
  public Connection connect() throws SQLException {
    Connection made = open();
    sessions.add(made);
    return made;
  }

  /** Returns the statistics of one session. */
  public Backend backend(Connection session) throws SQLException {
    return new Backend(observer, session);
  }

  /** Returns the session for work that is not measured. */
  public Connection connection() {
    return connection;
  }

  /** Runs a statement that is not measured. */
  public void run(String sql) throws SQLException {
    Sql.run(connection, sql);
  }

  /** Returns the single number that a query returns. */
  public long number(String sql) throws SQLException {
    return Sql.number(connection, sql);
  }

  /** Returns the size of the trial's tables, including the library's stores and large objects. */
  public double diskBytes() throws SQLException {
    return (double)
        number(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c"
                + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm')"
                + " AND (n.nspname = 'bench' OR c.relname = 'pg_largeobject'"
                + " OR n.nspname = 'pgtoaster' AND c.relname LIKE 'store\\_%')");
  }

  /** Returns the server's position in its WAL. */
  long walBytes() throws SQLException {
    return Sql.number(observer, "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint");
  }

  /**
   * Puts the calling thread on the same processor as the sessions. Only this thread may measure.
   */
  public void beside() throws SQLException {
    // A container with another address does not count as local.
    String sessions =
        Sql.value(
            observer,
            "SELECT coalesce(string_agg(pid::text, ' '), '') FROM pg_stat_activity WHERE datname = '"
                + name
                + "' AND coalesce(inet_server_addr() <<= '127.0.0.0/8'"
                + " OR inet_server_addr() = '::1', true)");
    if (!sessions.isEmpty()) {
      Cores.together(Arrays.asList(sessions.split(" ", -1)));
    }
  }

  /** Turns off durable commits for a session that prepares a measurement. */
  public static void hurry(Connection session) throws SQLException {
    Sql.run(session, "SET synchronous_commit = off");
  }

  /** Vacuums and analyzes the tables of the trial, and flushes all writes to disk. */
  public void vacuum() throws SQLException {
    run("VACUUM (ANALYZE) " + Sql.value(connection, TABLES));
    run("BEGIN; SET LOCAL synchronous_commit = on; SELECT txid_current(); COMMIT");
  }

  @Override
  public void close() throws SQLException {
    try (observer) {
      for (Connection session : sessions) {
        session.close();
      }
      connection.close();
      Sql.run(observer, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }
  }
}
