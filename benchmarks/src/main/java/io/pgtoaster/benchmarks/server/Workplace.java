package io.pgtoaster.benchmarks.server;

import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A database and the session that is counted in it. Each operation has a table of its own there.
 */
public final class Workplace implements AutoCloseable {
  private final Kind kind;
  private final Database database;
  private final Connection session;
  private final Backend backend;
  private int tables;

  /** Makes one. */
  public Workplace(Kind kind) throws SQLException {
    this.kind = kind;
    this.database = Database.create(kind);
    settle(database);
    this.session = database.connect();
    this.backend = database.backend(session);
  }

  /**
   * Has what prepares a database wait for its commits: rows do not remember that they are committed
   * before the log is written, which would take the server some time or other.
   */
  public static void settle(Database database) throws SQLException {
    database.run("SET synchronous_commit = on");
  }

  /** What the database has in it. */
  public Kind kind() {
    return kind;
  }

  /** The session that is counted. */
  public Connection session() {
    return session;
  }

  /** Counts. */
  public Backend backend() {
    return backend;
  }

  /** Makes other sessions, which are not counted. */
  public DataSource dataSource() {
    return database.dataSource();
  }

  /** The library on that session. */
  public PgToaster toaster() {
    return PgToaster.on(session);
  }

  /**
   * Makes a table with an attached column {@code data}.
   *
   * @param rows that it has besides row 0
   * @return its name
   */
  public String table(String type, String toaster, int rows) throws SQLException {
    return table(type, toaster, "{}", rows);
  }

  /**
   * The same, with options of the toaster.
   *
   * @param options as JSON
   */
  public String table(String type, String toaster, String options, int rows) throws SQLException {
    String table = "t" + ++tables;
    database.run("CREATE TABLE bench." + table + " (id bigint PRIMARY KEY, data " + type + ")");
    database.run(
        "SELECT pgtoaster.attach('bench."
            + table
            + "', 'data', '"
            + toaster
            + "', '"
            + options
            + "')");
    database.run(
        "INSERT INTO bench." + table + " SELECT i FROM generate_series(0, " + rows + ") i");
    return table;
  }

  /** Bytes that all of its tables and their stores take. */
  public double diskBytes() throws SQLException {
    return database.diskBytes();
  }

  /** Vacuums and analyzes a table and its store. */
  public void vacuum(String table) throws SQLException {
    database.run(
        "VACUUM (ANALYZE) "
            + Sql.value(
                database.connection(),
                """
                SELECT string_agg(CAST(c.oid AS regclass)::text, ', ') FROM pg_class c, pgtoaster.store s
                WHERE s.owner = CAST('bench.%s' AS regclass) AND c.relkind = 'r'
                  AND (c.oid = s.owner OR c.relname LIKE 'store\\_' || s.id || '\\_%%')
                """
                    .formatted(table)));
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
