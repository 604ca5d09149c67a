package io.pgtoaster.benchmarks.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * A database of one trial, with the schema {@code bench} first on the search path. Closing it drops
 * it with all its content. Safe for several threads.
 */
public final class Database implements AutoCloseable {
  private static final String FLUSH = "SELECT pg_stat_force_next_flush()";

  private static final String TABLES =
      "SELECT string_agg(c.oid::regclass::text, ', ') FROM pg_class c"
          + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm')"
          + " AND (n.nspname IN ('bench', 'pgtoaster') OR c.relname = 'pg_largeobject')";

  private final Target target;
  private final Kind kind;
  private final String name;
  private final Connection observer;
  private final Connection connection;
  private final List<Connection> sessions = new CopyOnWriteArrayList<>();
  private final ServerCpu cpu;

  private Database(Target target, Kind kind) throws SQLException {
    this.target = target;
    this.kind = kind;
    this.name = kind.database() + "_" + UUID.randomUUID().toString().substring(0, 8);
    this.observer = target.maintenance(kind);
    try {
      Sql.run(observer, "CREATE DATABASE " + name + " TEMPLATE " + kind.database());
      this.connection = open();
      hurry(connection);
      this.cpu = ServerCpu.of(observer);
    } catch (SQLException e) {
      observer.close();
      throw e;
    }
  }

  /** Creates a database on the server of this process. */
  public static Database create(Kind kind) throws SQLException {
    return new Database(Target.current(), kind);
  }

  /** Returns a source of connections that are not counted. */
  public DataSource dataSource() {
    return target.dataSource(kind, name);
  }

  private Connection open() throws SQLException {
    Connection made = dataSource().getConnection();
    Sql.run(made, "SET search_path = bench, public");
    return made;
  }

  /** Opens a session. Closing this database ends it. */
  public Connection connect() throws SQLException {
    Connection made = open();
    track(made);
    return made;
  }

  /**
   * Adds a session whose statistics are counted. It must be idle and in autocommit mode when they
   * are read.
   */
  public void track(Connection session) {
    sessions.add(session);
  }

  /** Returns the sessions whose statistics are counted. */
  public List<Connection> sessions() {
    return List.copyOf(sessions);
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

  /** Returns the server's counters for this database and its WAL position. */
  public Counters counters() throws SQLException {
    flush();
    try (PreparedStatement s =
        observer.prepareStatement(
            "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn, blks_hit + blks_read"
                + " FROM pg_stat_database WHERE datname = ?")) {
      s.setString(1, name);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return new Counters(r.getLong(1), r.getLong(2));
      }
    }
  }

  /** Returns how often each table has been scanned so far. */
  public TableScans scans() throws SQLException {
    flush();
    return TableScans.of(connection);
  }

  /** Makes all sessions report their statistics. */
  private void flush() throws SQLException {
    for (Connection session : sessions) {
      if (!session.isClosed()) {
        Sql.value(session, FLUSH);
      }
    }
    Sql.value(connection, FLUSH);
  }

  /** Returns the processor time of the server's sessions. */
  ServerCpu cpu() {
    return cpu;
  }

  /** Puts the calling thread on one processor with the sessions. Only this thread may measure. */
  public void beside() throws SQLException {
    cpu.beside();
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
