package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
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
    try (Session session = session()) {
      Database.hurry(session.connection);
      for (int id = first; id < first + more && bytes > 0; id++) {
        session.write(id, payload.stream(0, bytes), bytes);
      }
    }
    database.vacuum();
    return first;
  }

  /** Opens a session for one thread. */
  public abstract Session session() throws SQLException;

  @Override
  public void close() throws SQLException {
    database.close();
  }

  /**
   * Reads and writes values through one connection. Each call is a transaction that is committed
   * when it returns.
   */
  public abstract static class Session implements AutoCloseable {
    final Connection connection;

    Session(Connection connection) {
      this.connection = connection;
    }

    /** Adds bytes at the end. */
    public abstract void append(long id, byte[] piece) throws SQLException, IOException;

    /** Writes a stream into an empty value. */
    public abstract void write(long id, InputStream in, long bytes)
        throws SQLException, IOException;

    /** Reads a whole value and returns its CRC32C. */
    public abstract long read(long id) throws SQLException, IOException;

    public abstract byte[] range(long id, long offset, int count) throws SQLException;

    /** Returns the stored length of a value. */
    public abstract long length(long id) throws SQLException;

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
