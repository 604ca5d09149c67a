package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Documents in the column {@code data} of the table {@code bench.docs}, next to an ordinary column
 * {@code number}.
 */
public abstract class PostgresDocuments implements DocumentStore {
  private final Database database;

  PostgresDocuments(Kind kind) throws SQLException {
    this.database = Database.create(kind);
    database.run("CREATE TABLE bench.docs (id bigint PRIMARY KEY, number bigint, data jsonb)");
  }

  /**
   * Opens a contender.
   *
   * @param name name of the contender
   * @param compression none, pglz or lz4; empty for the contender's default
   * @param budget bytes that may stay in the row ({@code row_budget} of this library, {@code
   *     toast_tuple_target} of a stock table); 0 for the default
   */
  public static PostgresDocuments open(String name, String compression, int budget)
      throws SQLException {
    return switch (Names.who(name)) {
      case Names.JSONB -> new StockDocuments(Names.compression(name, compression), budget);
      case Names.CHUNK_TABLES, Names.EXTENSION -> new PgToasterDocuments(name, compression, budget);
      default -> throw new IllegalArgumentException("no contender for documents: " + name);
    };
  }

  @Override
  public final Database database() {
    return database;
  }

  abstract Session session(Connection connection);

  @Override
  public final Session session() throws SQLException {
    return session(database.connect());
  }

  @Override
  public final Session loader() throws SQLException {
    Connection connection = database.connect();
    Database.hurry(connection);
    return session(connection);
  }

  /**
   * {@inheritDoc} If a table has only a page or two, PostgreSQL scans it instead of using the
   * index. The number of pages depends on how much the contender stores in the table.
   */
  @Override
  public final void addOthers() throws SQLException {
    database.run(
        "INSERT INTO bench.docs (id, number) SELECT -i, 0 FROM generate_series(1, "
            + OTHERS
            + ") i");
  }

  @Override
  public final void settle() throws SQLException {
    database.vacuum();
  }

  @Override
  public final long count() throws SQLException {
    return database.number("SELECT count(*) FROM docs WHERE id >= 0");
  }

  @Override
  public final void close() throws SQLException {
    database.close();
  }
}
