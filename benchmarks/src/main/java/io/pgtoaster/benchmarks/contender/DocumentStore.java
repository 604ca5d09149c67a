package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
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
  Session session() throws SQLException;

  /** Opens a session for preparations, which are not measured. */
  Session loader() throws SQLException;

  /** Adds {@link #OTHERS} rows without a document, with negative numbers. */
  void addOthers() throws SQLException;

  /** Flushes all writes to disk, and makes the server do its deferred work. */
  void settle() throws SQLException;

  /** Returns the number of documents with numbers from 0. */
  long count() throws SQLException;

  @Override
  void close() throws SQLException;

  /** A session. Each call is a transaction that is committed when it returns. */
  interface Session extends AutoCloseable {
    /** Inserts a row with a document. */
    void insert(long id, String json) throws SQLException;

    /** Replaces a document. */
    void put(long id, String json) throws SQLException;

    /** Returns a whole document as text. */
    String load(long id) throws SQLException;

    /** Returns the value at a path as text, like {@code #>>}; null if there is no value. */
    @Nullable String get(long id, DocumentPath path) throws SQLException;

    /**
     * Returns the JSON text of the value at a path, which may be long; null if there is no value.
     */
    default @Nullable String text(long id, DocumentPath path) throws SQLException {
      return get(id, path);
    }

    /** Returns the values at a path of several documents, like {@link #get}. */
    Map<Long, String> getAll(Collection<Long> ids, DocumentPath path) throws SQLException;

    /** Sets the value at a path. */
    void set(long id, DocumentPath path, Object value) throws SQLException;

    /** Adds an element to an array. */
    void append(long id, DocumentPath array, Object value) throws SQLException;

    /** Inserts an element into an array, before the one at the path. */
    void insertAt(long id, DocumentPath element, Object value) throws SQLException;

    @Override
    void close() throws SQLException;
  }
}
