package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Target;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A way to store JSON documents by number, on PostgreSQL or another server. */
public interface DocumentStore extends AutoCloseable {
  /** Number of extra rows without a document. They prevent tiny tables. */
  int OTHERS = 10_000;

  /** Opens the contender with this name and its default storage. */
  static DocumentStore open(String name) throws SQLException {
    return Names.speaksMongo(name)
        ? new MongoDocuments(Target.current())
        : PostgresDocuments.open(name, "", 0);
  }

  /** Returns the database; null if it is not PostgreSQL. */
  @Nullable Database database();

  /** Opens a session for one thread. */
  StoreSession session() throws SQLException;

  /** Opens a session for preparations, which are not measured. */
  StoreSession loader() throws SQLException;

  /** Adds {@link #OTHERS} documents with negative numbers. */
  void addOthers() throws SQLException;

  /** Flushes all writes to disk, and makes the server do its deferred work. */
  void settle() throws SQLException;

  /** Returns the number of documents with numbers from 0. */
  long count() throws SQLException;

  @Override
  void close() throws SQLException;
}
