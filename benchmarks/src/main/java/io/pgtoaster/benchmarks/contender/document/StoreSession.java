package io.pgtoaster.benchmarks.contender.document;

import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session of a {@link DocumentStore}. Each call is a transaction, committed when it returns. */
public interface StoreSession extends AutoCloseable {
  /** Inserts a row with a document. */
  void insert(long id, String json) throws SQLException;

  /** Replaces a document. */
  void put(long id, String json) throws SQLException;

  /** All of a document as text. */
  String load(long id) throws SQLException;

  /** The value at a path as text, as {@code #>>} gives it; null where there is none. */
  @Nullable String get(long id, DocumentPath path) throws SQLException;

  /** The JSON text of the value at a path, which may be long; null where there is none. */
  default @Nullable String text(long id, DocumentPath path) throws SQLException {
    return get(id, path);
  }

  /** The same as {@link #get} of several documents. */
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
