package io.pgtoaster.spi;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.UnsupportedCapabilityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a blob toaster on one column. {@link io.pgtoaster.blob.BlobColumn} implements
 * everything else with them. Implementations are immutable, and never commit, roll back or set
 * savepoints. Methods that write are called in a transaction. Those named {@code try...} run at
 * most one writing statement, and may also be called in autocommit mode; see also {@link
 * #changesInOneStatement}.
 *
 * <p>All methods throw {@link io.pgtoaster.error.RowNotFoundException} for an unknown key. Methods
 * that do not create content throw {@link io.pgtoaster.error.BlobNotFoundException} for a NULL
 * column. The caller checks the arguments: offsets and lengths are never negative.
 */
public interface BlobVtable {
  /** The most bytes that a single statement writes. */
  int MAX_WRITE = 4 << 20;

  /** Finds the content of a row. */
  PinnedBlob pin(Connection connection, RowKey key) throws SQLException;

  /**
   * Finds the content of a row. Also reads the first bytes of a range if one statement can do both.
   *
   * @param offset of the first byte; may be after the end
   * @param count maximum number of bytes
   * @return the result of {@link #pin}, with or without bytes
   */
  default OpenedBlob open(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    return new OpenedBlob(pin(connection, key));
  }

  /**
   * Returns the current state of a pinned blob, which is perhaps longer, without reading its row.
   *
   * @param pinned from {@link #pin}
   * @throws io.pgtoaster.error.BlobChangedException if it was deleted or has a new generation
   */
  PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException;

  /**
   * Reads bytes that existed when the blob was pinned.
   *
   * @param pinned from {@link #pin} or {@link #refresh}
   * @param count number of bytes; {@code offset + count} is at most the pinned length
   * @return the bytes in the arrays in which they arrived, none of them empty; the caller owns them
   * @throws io.pgtoaster.error.BlobChangedException if the pinned content no longer exists
   * @throws io.pgtoaster.error.DiscardedException if the first of the bytes was discarded
   */
  byte[][] read(Connection connection, PinnedBlob pinned, long offset, int count)
      throws SQLException;

  /**
   * Reads a range of a row's content in one statement, if possible.
   *
   * @return the bytes, fewer than wanted only at the end of the content; null if the caller must
   *     call {@link #pin} and {@link #read}
   */
  default byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    return null;
  }

  /**
   * Reads the same range of several rows in one statement, if possible. Skips rows that do not
   * exist, and NULL columns. Default: reads nothing.
   *
   * @param keys of different rows
   * @param take accepts the bytes of a row, fewer than wanted only at the end of the content, and
   *     the position of its key in the list
   * @return the positions of the rows for which the caller must call {@link #pin} and {@link #read}
   */
  default List<Integer> tryReadAll(
      Connection connection, List<RowKey> keys, long offset, int count, ObjIntConsumer<byte[]> take)
      throws SQLException {
    return IntStream.range(0, keys.size()).boxed().toList();
  }

  /**
   * Returns the lengths of several rows in one statement, if possible. Skips rows that do not
   * exist. Default: returns none.
   *
   * @param keys of different rows
   * @param take accepts the length of a row, 0 if the column is NULL, and the position of its key
   *     in the list
   * @return the positions of the rows for which the caller must call {@link #pin}
   */
  default List<Integer> tryLengths(
      Connection connection, List<RowKey> keys, ObjIntConsumer<Long> take) throws SQLException {
    return IntStream.range(0, keys.size()).boxed().toList();
  }

  /**
   * Appends in one statement, if possible.
   *
   * @param connection in a transaction or not
   * @return the result, or null if nothing was done and the caller must call {@link #append}
   * @throws io.pgtoaster.error.OffsetConflictException if the blob does not have the expected
   *     length
   */
  default @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    return null;
  }

  /**
   * Appends to several rows in one statement, if possible. The rows are locked in the order of the
   * list. Default: does nothing.
   *
   * @param connection in a transaction, or in autocommit mode if {@code whole}
   * @param keys of different rows
   * @param requests what to append, in the order of the keys; without streams
   * @param whole whether to change nothing unless all appends can be made
   * @return a result for each append; null if it was not made and the caller must call {@link
   *     #append}
   */
  default List<@Nullable AppendResult> tryAppendAll(
      Connection connection, List<RowKey> keys, List<AppendRequest> requests, boolean whole)
      throws SQLException {
    return Collections.nCopies(keys.size(), null);
  }

  /**
   * Appends bytes. Creates the content if the column is NULL.
   *
   * @param request what to append; a stream is read only if the blob has the expected length
   * @throws io.pgtoaster.error.OffsetConflictException if the blob does not have the expected
   *     length, see {@link AppendRequest#requireLength}
   */
  AppendResult append(Connection connection, RowKey key, AppendRequest request) throws SQLException;

  /**
   * Returns whether the content is text. If so, the bytes of each call must be complete UTF-8
   * characters.
   */
  default boolean wholeCharacters() {
    return false;
  }

  /**
   * Creates empty blobs that no row references yet.
   *
   * @param connection in a transaction of the caller
   * @param count number of blobs, at least 1
   * @return their handles
   * @throws UnsupportedCapabilityException if content cannot exist without a row
   */
  default long[] create(Connection connection, int count) throws SQLException {
    throw new UnsupportedCapabilityException(
        "the toaster of this column has no handles; insert the row and append to it");
  }

  /**
   * Returns whether {@link #truncate}, {@link #discard}, {@link #seal}, and {@link #write} of at
   * most {@link #MAX_WRITE} bytes each change rows with a single statement. If so, they are also
   * called in autocommit mode.
   */
  default boolean changesInOneStatement() {
    return false;
  }

  /**
   * Overwrites bytes, and appends those beyond the end.
   *
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   */
  void write(Connection connection, RowKey key, long offset, byte[] bytes) throws SQLException;

  /**
   * Truncates the content.
   *
   * @param length new length, in bytes
   * @throws io.pgtoaster.error.InvalidOffsetException if the new length is larger than the current
   *     one
   */
  void truncate(Connection connection, RowKey key, long length) throws SQLException;

  /**
   * Discards the bytes before an offset, or does nothing if they were discarded before. The offsets
   * of the other bytes do not change.
   *
   * @param offset of the first byte to keep
   * @return the first offset that is left
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   */
  default long discard(Connection connection, RowKey key, long offset) throws SQLException {
    throw new UnsupportedCapabilityException(
        "the toaster of this column cannot discard the beginning of its content");
  }

  /** Makes the content final. Does nothing if it is already sealed. */
  default void seal(Connection connection, RowKey key) throws SQLException {
    throw new UnsupportedCapabilityException("the toaster of this column does not support sealing");
  }

  /**
   * Announces that a blob is followed for the next 30 seconds, so that appenders notify channel
   * {@code pgtoaster}.
   *
   * @param connection in autocommit mode
   * @param pinned from {@link #pin} or {@link #refresh}
   * @return payload of the notifications to expect, or null if appenders will not notify
   */
  default @Nullable String announceFollower(Connection connection, PinnedBlob pinned)
      throws SQLException {
    return null;
  }

  /**
   * Copies content between two rows inside the server, if possible.
   *
   * @param source key of the row to copy from
   * @param target key of another row, whose column is NULL
   * @return false if nothing was done and the caller must read and append
   */
  default boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return false;
  }

  /**
   * Copies content between two rows with at most one statement, if possible. Also called in
   * autocommit mode.
   *
   * @param source key of the row to copy from
   * @param target key of another row, whose column is NULL
   * @return true if it was done; if false, nothing was changed, and the caller must call {@link
   *     #copy}, which does it or reports the reason
   */
  default boolean tryCopy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return false;
  }

  /**
   * Rewrites the stored rows of a blob compactly: merges small pieces and applies changed options.
   *
   * @return number of stored rows rewritten; 0 if there was nothing to do
   */
  default long compact(Connection connection, RowKey key) throws SQLException {
    pin(connection, key);
    return 0;
  }

  /**
   * Checks the stored form of a blob for damage.
   *
   * @return problems, one sentence each; empty if there is no damage
   */
  default List<String> verify(Connection connection, RowKey key) throws SQLException {
    pin(connection, key);
    return List.of();
  }
}
