package io.pgtoaster.spi;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/**
 * The operations of a JSON toaster on one column. All other features, such as merge, patch, binding
 * and retries, are built on them. Each throws {@link io.pgtoaster.error.RowNotFoundException} if no
 * row has the key. A row whose column is NULL has no document, so every path is missing. Methods
 * that write are called in a transaction, except those named {@code try...}. The mapper of the
 * column has converted all objects in edits and searches.
 */
public interface JsonVtable {
  /**
   * A range of an array's elements.
   *
   * @param from position of the first element, from 0; if negative, it counts from the end
   * @param to position after the last element; if negative, it counts from the end
   */
  record Slice(long from, long to) {
    /**
     * Rejects a range that ends before it starts.
     *
     * @throws InvalidOffsetException if {@code to} is less than {@code from}, and both count from
     *     the same end
     */
    public Slice {
      if ((from < 0) == (to < 0) && to < from) {
        throw new InvalidOffsetException(
            "there are no elements from position " + from + " up to " + to);
      }
    }

    /**
     * Returns the same range counted from the start of an array of this size, without negative
     * positions.
     */
    public Slice within(long size) {
      long first = fromStart(from, size);
      return new Slice(first, Math.max(first, fromStart(to, size)));
    }

    private static long fromStart(long position, long size) {
      return position < 0 ? Math.max(0, size + position) : position;
    }
  }

  /**
   * Opens the value at a path as JSON text.
   *
   * @param connection in a transaction if {@code window} is not 0
   * @param slice range of elements to return, as an array; null for the whole value
   * @param window about how many stored rows to fetch at a time; 0 for all at once
   * @return the text in UTF-8, from one committed state, to be read before the transaction ends;
   *     null if there is nothing at the path, or if a slice is requested of a value that is not an
   *     array
   */
  @Nullable InputStream open(
      Connection connection, RowKey key, DocumentPath path, @Nullable Slice slice, int window)
      throws SQLException;

  /**
   * Reads the values at one path of many rows, in one statement if possible. This implementation
   * runs one statement for each row.
   *
   * @param keys of the rows, at least one; keys without a row are left out
   * @param take receives the text of a value in UTF-8, which it must read immediately, and the
   *     position of its key in the list; called in any order, and not for documents without a value
   *     at the path
   */
  default void texts(
      Connection connection, List<RowKey> keys, DocumentPath path, ObjIntConsumer<InputStream> take)
      throws SQLException {
    for (int i = 0; i < keys.size(); i++) {
      try (InputStream text = open(connection, keys.get(i), path, null, 0)) {
        if (text != null) {
          take.accept(text, i);
        }
      } catch (RowNotFoundException e) {
        // Keys without a row are left out.
      } catch (IOException e) {
        if (e.getCause() instanceof SQLException failed) {
          throw failed;
        }
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Finds rows by the contents of their documents. This implementation throws an exception.
   *
   * @param after key of the row after which the results begin; null to begin with the first row
   * @return the keys of the rows, in order: the value of the key column, or a list of values
   */
  default List<Object> search(Connection connection, JsonSearch search, @Nullable RowKey after)
      throws SQLException {
    throw new UnsupportedCapabilityException("the toaster of the column does not support searches");
  }

  /** Finds rows by words, best first. This implementation throws an exception. */
  default List<SearchHit> searchRanked(Connection connection, JsonSearch search)
      throws SQLException {
    throw new UnsupportedCapabilityException(
        "the toaster of the column does not support ranked searches");
  }

  /**
   * Finds rows in the order of the values at a path. This implementation throws an exception.
   *
   * @param after key of the row in {@link JsonOrder#after}
   */
  default List<JsonOrder.Hit> searchOrdered(
      Connection connection, JsonSearch search, JsonOrder order, @Nullable RowKey after)
      throws SQLException {
    throw new UnsupportedCapabilityException(
        "the toaster of the column does not support ordered searches");
  }

  /**
   * Finds rows as {@link #search} does, and where their documents match. This implementation throws
   * an exception.
   */
  default List<SearchMatches> searchMatches(
      Connection connection, JsonSearch search, @Nullable RowKey after) throws SQLException {
    throw new UnsupportedCapabilityException(
        "the toaster of the column does not return where documents match");
  }

  /** Returns type and size of the value at a path; empty if there is nothing at the path. */
  Optional<JsonInfo> describe(Connection connection, RowKey key, DocumentPath path, boolean size)
      throws SQLException;

  /**
   * Returns keys of the object at a path that follow a key, or all, in jsonb's order: by length in
   * bytes, then by bytes. Empty if there is no object at the path.
   */
  Optional<List<String>> keys(
      Connection connection, RowKey key, DocumentPath path, @Nullable String after, int limit)
      throws SQLException;

  /**
   * Tries to apply an edit in one statement.
   *
   * @return the outcome; empty if nothing was done and {@link #edit} must be called
   */
  default Optional<Edited> tryEdit(Connection connection, RowKey key, JsonEdit edit)
      throws SQLException {
    return Optional.empty();
  }

  /**
   * Applies edits of one or more documents: those of a document in order, up to the first one that
   * is not applied or needs more than one statement. Locks rows in the order of the keys.
   *
   * @param connection in a transaction, or in autocommit mode if {@code whole}
   * @param keys of the rows, at least one
   * @param edits of each row
   * @param whole whether to change nothing unless all edits can be made
   * @return how many were applied, for each row; {@link #edit} must be called for the next one. A
   *     removal of a missing value may count
   */
  default int[] tryEdits(
      Connection connection, List<RowKey> keys, List<List<JsonEdit>> edits, boolean whole)
      throws SQLException {
    int[] made = new int[keys.size()];
    if (whole && (keys.size() > 1 || edits.get(0).size() > 1)) {
      return made;
    }
    for (int i = 0; i < made.length; i++) {
      for (JsonEdit edit : edits.get(i)) {
        if (tryEdit(connection, keys.get(i), edit).filter(Edited::applied).isEmpty()) {
          break;
        }
        made[i]++;
      }
    }
    return made;
  }

  /** Changes a document. */
  Edited edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException;

  /**
   * Tries to store a document that is in memory with few round trips.
   *
   * @param connection any; in autocommit mode the changes are committed
   * @param document checked
   * @return what was written; empty if nothing was done and {@link #put} must be called
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke during a commit
   */
  default Optional<PutResult> tryPut(Connection connection, RowKey key, JsonNode document)
      throws SQLException {
    return Optional.empty();
  }

  /**
   * Tries to store the text of a document with few round trips. The text is parsed while it is
   * stored.
   *
   * @param connection any; in autocommit mode the changes are committed
   * @param json text of one value, not checked
   * @return what was written; empty if nothing was done and {@link #put} must be called
   * @throws io.pgtoaster.error.InvalidJsonException if the text is not JSON; nothing is stored
   * @throws io.pgtoaster.error.OutcomeUnknownException if the connection broke during a commit
   */
  default Optional<PutResult> tryPut(Connection connection, RowKey key, String json)
      throws SQLException {
    return Optional.empty();
  }

  /**
   * Tries to insert rows with their documents in few round trips.
   *
   * @param connection in a transaction if there are several rows
   * @param keys of the rows, all different
   * @param documents of the rows, before their first token; read up to their end
   * @return what was written for each row; null if nothing was done, and the row must be inserted
   *     before {@link #put} is called
   * @throws io.pgtoaster.error.InvalidJsonException if a document is not JSON; nothing is stored
   * @throws io.pgtoaster.error.RowExistsException if a row already exists
   */
  default List<@Nullable PutResult> tryInserts(
      Connection connection, List<RowKey> keys, List<JsonParser> documents) throws SQLException {
    return Collections.nCopies(keys.size(), null);
  }

  /**
   * Stores a whole document, which replaces the old one.
   *
   * @param document before its first token; read up to the end of its first value
   * @return what was written
   */
  PutResult put(Connection connection, RowKey key, JsonParser document) throws SQLException;

  /**
   * Blocks other writers of a document until the transaction ends, if the lock on the owner's row
   * does not. Locks the owner's row first.
   *
   * @return false if nothing was locked because the owner's row is the whole document; the caller
   *     then locks that row
   */
  default boolean lock(Connection connection, RowKey key) throws SQLException {
    return false;
  }

  /** Sets the column to NULL. */
  void clear(Connection connection, RowKey key) throws SQLException;

  /**
   * Rewrites a stored document compactly, with the current options.
   *
   * @return number of stored rows rewritten; 0 if there was nothing to do
   */
  default long compact(Connection connection, RowKey key) throws SQLException {
    return 0;
  }

  /**
   * Checks a stored document for damage.
   *
   * @return the findings, one sentence each; empty if the document is intact
   */
  default List<String> verify(Connection connection, RowKey key) throws SQLException {
    return List.of();
  }

  /** Returns the size and structure of a stored document; empty if the column is NULL. */
  Optional<DocumentStat> stat(Connection connection, RowKey key) throws SQLException;
}
