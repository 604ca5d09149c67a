package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.sql.SQLException;

/** A way to store bytes, with its own database. Values are numbered from 1. */
public abstract class BlobContender implements AutoCloseable {
  final Database database;
  private int values;

  BlobContender(Kind kind) throws SQLException {
    this.database = Database.create(kind);
  }

  /** Opens the contender with this name. */
  public static BlobContender open(String name, String compression) throws SQLException {
    return switch (name) {
      case Names.BYTEA -> new Bytea(compression);
      case Names.LARGE_OBJECT, Names.LARGE_OBJECT_SQL, Names.LARGE_OBJECT_LOCKED ->
          new LargeObjects(name);
      case Names.INDEXED_TABLE -> new IndexedTable();
      case Names.CHUNK_TABLES, Names.EXTENSION -> new PgToasterBlobs(name, compression);
      default -> throw new IllegalArgumentException("no contender for blobs: " + name);
    };
  }

  /** Adds rows without a value, with negative numbers, like {@link DocumentStore#addOthers}. */
  final void addOthers() throws SQLException {
    database.run(
        "INSERT INTO bench.blobs (id) SELECT -i FROM generate_series(1, %d) i"
            .formatted(DocumentStore.OTHERS));
  }

  public final Database database() {
    return database;
  }

  /** Adds {@code more} empty values and returns the number of the first. */
  public final int add(int more) throws SQLException {
    int first = values + 1;
    values += more;
    add(first, values);
    return first;
  }

  void add(int first, int last) throws SQLException {
    database.run(
        "INSERT INTO bench.blobs (id) SELECT generate_series(%d, %d)".formatted(first, last));
  }

  /**
   * Adds values that each contain the first {@code bytes} of the payload. Returns the first number.
   */
  public final int fill(int more, long bytes, Payload payload) throws Exception {
    int first = add(more);
    try (BlobSession session = session()) {
      Database.hurry(session.connection);
      for (int id = first; id < first + more && bytes > 0; id++) {
        session.write(id, payload.stream(0, bytes), bytes);
      }
    }
    database.vacuum();
    return first;
  }

  /** Opens a session for one thread. */
  public abstract BlobSession session() throws SQLException;

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
