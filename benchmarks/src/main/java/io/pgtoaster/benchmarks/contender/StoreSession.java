package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session of a {@link DocumentStore}. Each call is a transaction that is committed when it
 * returns.
 */
public interface StoreSession extends AutoCloseable {
  /** Inserts a row with a document. */
  void insert(long id, String json) throws SQLException;

  /** Replaces a document. */
  void put(long id, String json) throws SQLException;

  /** Returns a whole document as text. */
  String load(long id) throws SQLException;

  /** Returns the value at a path as text, like {@code #>>}; null if there is no value. */
  @Nullable String get(long id, DocumentPath path) throws SQLException;

  /** Returns the JSON text of the value at a path, which may be long; null if there is no value. */
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
