package io.pgtoaster.benchmarks.contender.document;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.server.Database;
import java.sql.SQLException;

/**
 * A way to store JSON documents in its own database: in the column {@code data} of the table {@code
 * bench.docs}, next to an ordinary column {@code number}.
 */
public interface DocumentContender extends DocumentStore {
  /** Opens the contender with this name. */
  static DocumentContender open(String name, Storage storage) throws SQLException {
    return switch (Names.who(name)) {
      case Names.JSONB, Names.POSTGRES_PRO -> new StockDocuments(Names.who(name), storage.of(name));
      case Names.CHUNK_TABLES, Names.EXTENSION -> new PgToasterDocuments(name, storage);
      default -> throw new IllegalArgumentException("no contender for documents: " + name);
    };
  }

  /**
   * {@inheritDoc} PostgreSQL scans a table of a page or two instead of using the index, and how
   * many pages a table has depends on how much the contender keeps in it.
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
