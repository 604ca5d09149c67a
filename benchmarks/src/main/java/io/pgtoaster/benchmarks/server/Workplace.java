package io.pgtoaster.benchmarks.server;

import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.SQLException;

/** A database and the session whose costs are counted. Each operation has its own table in it. */
public final class Workplace implements AutoCloseable {
  private final Kind kind;
  private final Database database;
  private final Connection session;
  private final Backend backend;
  private int tables;

  public Workplace(Kind kind) throws SQLException {
    this.kind = kind;
    this.database = Database.create(kind);
    settle(database);
    this.session = database.connect();
    this.backend = database.backend(session);
  }

  /**
   * Makes the commits of preparations durable. The server cannot mark rows as committed before
   * their WAL is flushed, and would mark them later, during a measurement.
   */
  public static void settle(Database database) throws SQLException {
    database.run("SET synchronous_commit = on");
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the session whose costs are counted. */
  public Connection session() {
    return session;
  }

  /** Returns the statistics of the session. */
  public Backend backend() {
    return backend;
  }

  /** Returns the library on the session. */
  public PgToaster toaster() {
    return PgToaster.on(session);
  }

  /**
   * Creates a table with an attached column {@code data} and options.
   *
   * @param options options of the toaster, as JSON
   * @param rows number of rows in addition to row 0
   * @return its name
   */
  public String table(String type, String toaster, String options, int rows) throws SQLException {
    String table = "t" + ++tables;
    database.run(
        """
        CREATE TABLE bench.%1$s (id bigint PRIMARY KEY, data %2$s);
        SELECT pgtoaster.attach('bench.%1$s', 'data', '%3$s', '%4$s');
        INSERT INTO bench.%1$s SELECT i FROM generate_series(0, %5$d) i
        """
            .formatted(table, type, toaster, options, rows));
    return table;
  }

  /** Vacuums and analyzes a table and its store. */
  public void vacuum(String table) throws SQLException {
    String tables =
        """
        SELECT string_agg(CAST(c.oid AS regclass)::text, ', ') FROM pg_class c, pgtoaster.store s
        WHERE s.owner = CAST('bench.%s' AS regclass) AND c.relkind = 'r'
          AND (c.oid = s.owner OR c.relname LIKE 'store\\_' || s.id || '\\_%%')
        """
            .formatted(table);
    database.run("VACUUM (ANALYZE) " + Sql.value(database.connection(), tables));
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
