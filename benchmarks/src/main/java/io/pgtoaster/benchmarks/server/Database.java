package io.pgtoaster.benchmarks.server;

import io.pgtoaster.Catalog;
import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.PgToaster;
import java.sql.Connection;
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
  private static final String TABLES =
      " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm')"
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

  /** Creates the templates that the server supports. First removes what an earlier run left. */
  public static void prepare(Target target) throws SQLException {
    drop(target);
    try (Connection c = target.maintenance()) {
      if (!Sql.holds(c, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
        throw new SQLException(
            "the user of the URL must be a superuser: the run creates databases and extensions");
      }
      for (Kind kind : Kind.values()) {
        String extension =
            "SELECT count(*) > 0 FROM pg_available_extensions WHERE name = 'pgtoaster'";
        if (kind == Kind.PLAIN || Sql.holds(c, extension)) {
          Sql.run(c, "CREATE DATABASE " + kind.database());
          try (Connection made = target.dataSource(kind.database()).getConnection()) {
            install(made, kind);
          }
        }
      }
    }
  }

  private static void install(Connection c, Kind kind) throws SQLException {
    Sql.run(c, "CREATE SCHEMA bench");
    Catalog catalog = PgToaster.on(c).catalog();
    catalog.install();
    if (kind == Kind.EXTENSION) {
      catalog.createExtension();
      ExtensionStatus status = catalog.extension();
      if (!status.used()) {
        // It belongs to another catalog, so plain SQL would do all the work.
        throw new SQLException("the extension would not be used: " + status.advice());
      }
    }
    Sql.run(c, "VACUUM FREEZE ANALYZE");
  }

  /** Returns whether there is a template of this kind. */
  public static boolean has(Target target, Kind kind) throws SQLException {
    try (Connection c = target.maintenance()) {
      String sql = "SELECT datname FROM pg_database WHERE datname = ?";
      return Sql.get(c, String.class, sql, kind.database()) != null;
    }
  }

  /** Drops the templates, and all databases that trials left. */
  public static void drop(Target target) throws SQLException {
    try (Connection c = target.maintenance()) {
      String sql = "SELECT datname FROM pg_database WHERE datname LIKE 'pgtoaster\\_bench\\_%'";
      for (String name : Sql.list(c, String.class, sql)) {
        Sql.run(c, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
      }
    }
    if (target.mongodbUrl() != null) {
      MongoServer.drop(target);
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
    return number(
        "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint"
            + TABLES
            + " AND (n.nspname <> 'pgtoaster' OR c.relname LIKE 'store\\_%')");
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
    String local =
        "SELECT pid::text FROM pg_stat_activity WHERE datname = ? AND coalesce("
            + "inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true)";
    Backend.together(Sql.list(observer, String.class, local, name));
  }

  /** Turns off durable commits for a session that prepares a measurement. */
  public static void hurry(Connection session) throws SQLException {
    Sql.run(session, "SET synchronous_commit = off");
  }

  /** Vacuums and analyzes the tables of the trial, and flushes all writes to disk. */
  public void vacuum() throws SQLException {
    String tables = "SELECT string_agg(c.oid::regclass::text, ', ')" + TABLES;
    run("VACUUM (ANALYZE) " + Sql.value(connection, tables));
    run("BEGIN; SET LOCAL synchronous_commit = on; SELECT txid_current(); COMMIT");
  }

  /**
   * Checks the node type in a query's plan, and that it is not parallel. The plan determines the
   * cost, so contenders are comparable only if they have the same plan.
   */
  public void checkPlan(String query, String node) throws SQLException {
    String plan = Sql.value(connection, "EXPLAIN (COSTS off, FORMAT json) " + query);
    if (!plan.contains(node) || plan.contains("Gather")) {
      throw new SQLException(node + " was expected in the plan of " + query + ":\n" + plan);
    }
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
