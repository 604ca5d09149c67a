package io.pgtoaster.benchmarks.contender.document;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.server.Database;
import java.sql.SQLException;

/**
 * A way to store JSON documents, in the column {@code data} of the table {@code bench.docs}, beside
 * an ordinary {@code number}, in a database of its own.
 */
public interface DocumentContender extends DocumentStore {
  /** The one that a parameter names. */
  static DocumentContender open(String name, Storage storage) throws SQLException {
    return switch (Names.who(name)) {
      case Names.JSONB, Names.POSTGRES_PRO -> new StockDocuments(Names.who(name), storage.of(name));
      case Names.CHUNK_TABLES, Names.EXTENSION -> new PgToasterDocuments(name, storage);
      default -> throw new IllegalArgumentException("no contender for documents: " + name);
    };
  }

  /**
   * {@inheritDoc} Of a table of a page or two the server reads all instead of using the index, and
   * which contender's table has a page or two depends on what stays in it.
   */
  @Override
  default void addOthers() throws SQLException {
    database()
        .run(
            "INSERT INTO bench.docs (id, number) SELECT -i, 0 FROM generate_series(1, "
                + OTHERS
                + ") i");
  }

  @Override
  Database database();

  @Override
  DocumentSession session() throws SQLException;

  @Override
  default DocumentSession loader() throws SQLException {
    DocumentSession session = session();
    Database.hurry(session.connection());
    return session;
  }

  @Override
  default void settle() throws SQLException {
    database().vacuum();
  }

  @Override
  default long count() throws SQLException {
    return database().number("SELECT count(*) FROM docs WHERE id >= 0");
  }

  @Override
  default void close() throws SQLException {
    database().close();
  }
}
