package io.pgtoaster.blob;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.UnsupportedCapabilityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a blob toaster on one column; {@link BlobColumn} builds everything else on
 * them. Implementations are immutable, and never commit, roll back or set savepoints.
 *
 * <p>All throw {@link io.pgtoaster.error.RowNotFoundException} for an unknown key, and those that
 * do not create content {@link io.pgtoaster.error.BlobNotFoundException} for a NULL column.
 * Arguments are checked by the caller: offsets and lengths are never negative.
 */
public interface BlobVtable {
  /**
   * Finds the content of a row.
   *
   * @param connection any
   * @param key of the row
   * @return the content as it is now
   * @throws SQLException as the driver throws it
   */
  PinnedBlob pin(Connection connection, RowKey key) throws SQLException;

  /**
   * Finds the content of a row, and reads the first bytes of a range of it if one statement does
   * both.
   *
   * @param connection any
   * @param key of the row
   * @param offset of the first byte, perhaps behind the end
   * @param count the most bytes wanted
   * @return what {@link #pin} returns, with bytes or without
   * @throws SQLException as the driver throws it
   */
  default OpenedBlob open(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    return new OpenedBlob(pin(connection, key));
  }

  /**
   * Looks at a blob again, without looking at its row.
   *
   * @param connection any
   * @param pinned from {@link #pin}
   * @return the same blob as it is now, perhaps longer
   * @throws io.pgtoaster.error.BlobChangedException if it was deleted, or is of a new generation
   * @throws SQLException as the driver throws it
   */
  PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException;

  /**
   * Reads bytes that were there when the blob was pinned.
   *
   * @param connection any
   * @param pinned from {@link #pin} or {@link #refresh}
   * @param offset of the first byte
   * @param count number of bytes; {@code offset + count} is at most the pinned length
   * @return the bytes, in as many arrays as they came in and none of them empty; the caller's
   * @throws io.pgtoaster.error.BlobChangedException if the pinned content is gone
   * @throws SQLException as the driver throws it
   */
  byte[][] read(Connection connection, PinnedBlob pinned, long offset, int count)
      throws SQLException;

  /**
   * Reads a range of a row's content in one statement, where that can be done.
   *
   * @param connection any
   * @param key of the row
   * @param offset of the first byte
   * @param count number of bytes wanted
   * @return the bytes, fewer than wanted only at the end of the content; null if it takes a {@link
   *     #pin} first
   * @throws SQLException as the driver throws it
   */
  default byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    return null;
  }

  /**
   * Appends in one statement, where that can be done.
   *
   * @param connection in a transaction or not
   * @param key of the row
   * @param request what to append
   * @return the result, or null if nothing was done and it takes {@link #append}
   * @throws SQLException as the driver throws it
   */
  default @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    return null;
  }

  /**
   * Appends; creates the content if the column is NULL.
   *
   * @param connection in a transaction
   * @param key of the row
   * @param request what to append
   * @return the result
   * @throws SQLException as the driver throws it
   */
  AppendResult append(Connection connection, RowKey key, AppendRequest request) throws SQLException;

  /**
   * Tells whether the content is text, so that a call takes whole characters alone.
   *
   * @return true if the bytes given to one call must be characters of UTF-8
   */
  default boolean wholeCharacters() {
    return false;
  }

  /**
   * Makes empty content that no row names yet.
   *
   * @param connection in a transaction of the caller
   * @param count how many, at least one
   * @return their handles
   * @throws UnsupportedCapabilityException if content takes a row
   * @throws SQLException as the driver throws it
   */
  default long[] create(Connection connection, int count) throws SQLException {
    throw new UnsupportedCapabilityException(
        "the toaster of this column has no handles; insert the row and append to it");
  }

  /**
   * Overwrites bytes, and appends those that reach beyond the end.
   *
   * @param connection in a transaction
   * @param key of the row
   * @param offset of the first byte
   * @param array holds the bytes
   * @param from index of the first
   * @param count number of bytes
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   * @throws SQLException as the driver throws it
   */
  void write(Connection connection, RowKey key, long offset, byte[] array, int from, int count)
      throws SQLException;

  /**
   * Cuts the content.
   *
   * @param connection in a transaction
   * @param key of the row
   * @param length that it shall have
   * @throws io.pgtoaster.error.InvalidOffsetException if that is more than it has
   * @throws SQLException as the driver throws it
   */
  void truncate(Connection connection, RowKey key, long length) throws SQLException;

  /**
   * Overwrites by at most one statement, in autocommit mode too.
   *
   * @param connection where to write
   * @param key of the row
   * @param offset of the first byte
   * @param bytes to write
   * @return whether it was done; if not, nothing was changed, and {@link #write} does it or says
   *     why not
   * @throws SQLException as the driver throws it
   */
  default boolean tryWrite(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    return false;
  }

  /**
   * Cuts by at most one statement, in autocommit mode too.
   *
   * @param connection where to write
   * @param key of the row
   * @param length that the content shall have
   * @return whether it was done; if not, nothing was changed
   * @throws SQLException as the driver throws it
   */
  default boolean tryTruncate(Connection connection, RowKey key, long length) throws SQLException {
    return false;
  }

  /**
   * Makes the content final by at most one statement, in autocommit mode too.
   *
   * @param connection where to write
   * @param key of the row
   * @return whether it is; if not, nothing was changed
   * @throws SQLException as the driver throws it
   */
  default boolean trySeal(Connection connection, RowKey key) throws SQLException {
    return false;
  }

  /**
   * Makes the content final; harmless if it is already.
   *
   * @param connection in a transaction
   * @param key of the row
   * @throws SQLException as the driver throws it
   */
  default void seal(Connection connection, RowKey key) throws SQLException {
    throw new UnsupportedCapabilityException("the toaster of this column cannot seal");
  }

  /**
   * Says that somebody follows a blob for the next half minute, so that appenders notify channel
   * {@code pgtoaster}.
   *
   * @param connection in autocommit mode
   * @param pinned from {@link #pin} or {@link #refresh}
   * @return payload of the notifications to expect, or null if there will be none
   * @throws SQLException as the driver throws it
   */
  default @Nullable String announceFollower(Connection connection, PinnedBlob pinned)
      throws SQLException {
    return null;
  }

  /**
   * Copies content between two rows inside the server, where that can be done.
   *
   * @param connection in a transaction
   * @param source key of the row to copy from
   * @param target key of another row, whose column is NULL
   * @return false if nothing was done and the caller must read and append
   * @throws SQLException as the driver throws it
   */
  default boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return false;
  }

  /**
   * Copies content between two rows by at most one statement, in autocommit mode too.
   *
   * @param connection where to write
   * @param source key of the row to copy from
   * @param target key of another row, whose column is NULL
   * @return whether it was done; if not, nothing was changed, and {@link #copy} does it or says why
   *     not
   * @throws SQLException as the driver throws it
   */
  default boolean tryCopy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return false;
  }

  /**
   * Brings what is stored of a blob into its best form: merges small pieces, applies changed
   * options.
   *
   * @param connection in a transaction
   * @param key of the row
   * @return number of stored rows rewritten; 0 if there was nothing to do
   * @throws SQLException as the driver throws it
   */
  default long compact(Connection connection, RowKey key) throws SQLException {
    pin(connection, key);
    return 0;
  }

  /**
   * Looks for damage in what is stored of a blob.
   *
   * @param connection any
   * @param key of the row
   * @return what is wrong, one sentence each; empty if all is well
   * @throws SQLException as the driver throws it
   */
  default List<String> verify(Connection connection, RowKey key) throws SQLException {
    pin(connection, key);
    return List.of();
  }
}
