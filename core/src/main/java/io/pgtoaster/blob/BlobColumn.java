package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.column.ColumnInfo;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.internal.CallersConnection;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.hook.Hidden;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of one column. A key identifies a row: the value of its key column, a {@link List} of
 * values for a composite key, or a {@link RowKey}.
 *
 * <p>Thread-safe if it was created from a data source; for one thread at a time if it was created
 * from a connection. Each stream, reader, writer or channel is for one thread. All methods throw
 * {@link io.pgtoaster.error.RowNotFoundException} if no row has the key. Unless stated otherwise,
 * methods that neither append nor return a length throw {@link BlobNotFoundException} if the column
 * is NULL.
 *
 * <p>Appends of bytes or text that several threads make to one row at the same time are sent as one
 * append, unless they have options or run in the caller's transaction. Share one handle between all
 * threads.
 *
 * <p>A call looks up its content when it begins. If plain SQL moves a handle to another row while a
 * small append waits for a lock, the bytes are appended to the content that then belongs to that
 * row.
 *
 * <pre>{@code
 * BlobColumn audio = toaster.blobs("recording", "audio");
 * AppendResult where = audio.append(42, bytes);
 * byte[] again = audio.read(42, where.offset(), bytes.length);
 * try (InputStream growing = audio.follow(42, FollowOptions.defaults())) {
 *   growing.transferTo(out); // until the blob is sealed
 * }
 * }</pre>
 */
public final class BlobColumn {
  static {
    Hidden.<BlobColumn, ColumnAccess<BlobToaster, BlobVtable>>share(
        BlobColumn.class, BlobColumn::new, blobs -> blobs.access);
  }

  private final ColumnAccess<BlobToaster, BlobVtable> access;
  private final AppendCalls appender;
  private final Edits edits;
  private final Retention retention;

  private BlobColumn(ColumnAccess<BlobToaster, BlobVtable> access) {
    this.access = access;
    this.appender = new AppendCalls(access);
    this.edits = new Edits(access);
    this.retention = new Retention(access, edits);
  }

  /**
   * Returns this column in the transaction of a connection to the same database, like a handle from
   * {@code PgToaster.on}. Both handles share the cached description of the column.
   *
   * @param connection remains the caller's: it is never closed, and the caller's transactions are
   *     never committed or rolled back
   * @return another handle, for one thread at a time
   */
  public BlobColumn on(Connection connection) {
    Objects.requireNonNull(connection, "connection");
    return new BlobColumn(access.on(new CallersConnection(connection)));
  }

  /** Returns the optional capabilities that the toaster supports. */
  public Set<BlobCapability> capabilities() {
    return access.resolved().toaster().capabilities();
  }

  /** Returns the column's name, row key and options, as they were last looked up. */
  public ColumnInfo describe() {
    return access.resolved().column().info();
  }

  /**
   * Returns information about a blob without reading its content.
   *
   * @return length, generation and more; empty if the column is NULL
   */
  public Optional<BlobInfo> info(Object key) {
    return edits.info(key);
  }

  /**
   * Returns the length of a blob, including discarded bytes.
   *
   * @return bytes; 0 if the column is NULL
   */
  public long length(Object key) {
    return info(key).map(BlobInfo::length).orElse(0L);
  }

  /**
   * Creates an empty blob that no row references yet. Insert its row in the same transaction:
   * {@code INSERT INTO recording (id, audio) VALUES (?, ?)} with the handle in the column. After
   * that, use the row's key.
   *
   * @throws io.pgtoaster.error.TransactionRequiredException if the caller has no open transaction,
   *     see {@link #on}
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the toaster does not support
   *     {@link BlobCapability#HANDLES}, or if the store has a leading key, whose value comes from
   *     the row
   */
  public long create() {
    return create(1)[0];
  }

  /**
   * Creates several empty blobs that no row references yet, in one statement. Blobs that no row
   * references at commit are kept until {@code gc} removes them after its grace period.
   *
   * @throws io.pgtoaster.error.TransactionRequiredException if the caller has no open transaction,
   *     see {@link #on}
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the toaster does not support
   *     {@link BlobCapability#HANDLES}, or if the store has a leading key, whose value comes from
   *     the row
   */
  public long[] create(int count) {
    Arguments.length(count);
    return edits.create(count);
  }

  /**
   * Appends bytes. Creates the blob if the column is NULL, even if there are no bytes to append.
   *
   * @return offset and length of the bytes
   */
  public AppendResult append(Object key, byte[] bytes) {
    return appender.append(key, AppendCalls.request(bytes, AppendOptions.defaults())).result();
  }

  /**
   * Appends bytes. Creates the blob if the column is NULL, even if there are no bytes to append.
   *
   * @param options expected offset, token, and how much to keep
   * @return offset and length of the bytes, and whether an earlier call appended them
   * @throws io.pgtoaster.error.OffsetConflictException if the blob does not have the expected
   *     length; nothing is appended
   */
  public AppendResult append(Object key, byte[] bytes, AppendOptions options) {
    retention.require(options);
    AppendResult result = appender.append(key, AppendCalls.request(bytes, options)).result();
    return retention.applied(key, options, result);
  }

  /**
   * Appends part of an array.
   *
   * @param bytes array with the bytes to append
   * @param offset index of the first byte
   * @param length number of bytes
   * @return offset and length of the bytes in the blob
   * @throws IndexOutOfBoundsException if the range is not within the array
   */
  public AppendResult append(Object key, byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return append(key, ByteBuffer.wrap(bytes, offset, length));
  }

  /**
   * Appends the remaining bytes of a buffer. Afterwards the buffer's position equals its limit. If
   * the call fails, the position is unchanged, so the buffer can be appended again.
   *
   * @return offset and length of the bytes
   */
  public AppendResult append(Object key, ByteBuffer bytes) {
    AppendResult result =
        appender.append(key, AppendCalls.request(bytes, AppendOptions.defaults())).result();
    bytes.position(bytes.limit());
    return result;
  }

  /**
   * Appends text in UTF-8.
   *
   * @return offset and length of its bytes
   * @throws IllegalArgumentException if the text contains an unpaired surrogate, which UTF-8 cannot
   *     encode; nothing is appended
   */
  public AppendResult appendText(Object key, CharSequence text) {
    return append(key, Utf8.encode(text));
  }

  /**
   * Appends a whole stream in one transaction: readers see all of it or nothing. Does not close the
   * stream.
   *
   * @param in stream to read to its end
   * @return offset and length of the bytes
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended
   */
  public AppendResult append(Object key, InputStream in) {
    return append(key, in, AppendOptions.defaults());
  }

  /**
   * Appends a whole stream in one transaction: readers see all of it or nothing. Does not close the
   * stream.
   *
   * @param in stream to read to its end, unless the append conflicts; if the token was used before,
   *     the stream is only read to count its bytes
   * @param options expected offset, token, and how much to keep
   * @return offset and length of the bytes, and whether an earlier call appended them
   * @throws io.pgtoaster.error.OffsetConflictException if the blob does not have the expected
   *     length; nothing is appended
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended
   */
  public AppendResult append(Object key, InputStream in, AppendOptions options) {
    retention.require(options);
    AppendResult result = appender.append(key, AppendCalls.request(in, options)).result();
    return retention.applied(key, options, result);
  }

  /**
   * Appends to many rows in one transaction: to all, or to none. In autocommit mode, up to 10,000
   * rows with 8 MB in total and 64 KB each take one round trip.
   *
   * @param appends bytes by key
   * @return offset and length of the bytes by key, in the order of the map
   * @throws io.pgtoaster.error.BatchException if an append failed, with the failure of each key;
   *     nothing is appended
   * @throws IllegalArgumentException if two keys name the same row
   */
  public <K> Map<K, AppendResult> appendAll(Map<K, byte[]> appends) {
    return AppendBatch.all(access, appends);
  }

  /**
   * Appends to many rows in one transaction, even if some of the appends are rejected. If none is,
   * it takes one round trip, as {@link #appendAll}. If all appends have tokens, the batch is sent
   * again after a lost connection.
   *
   * @param appends by key, each with its own options
   * @return the outcomes by key, in the order of the map
   * @throws IllegalArgumentException if two keys name the same row
   */
  public <K> Map<K, AppendOutcome> appendEach(Map<K, BlobAppend> appends) {
    appends.values().forEach(append -> retention.require(append.options()));
    Map<K, AppendOutcome> outcomes = AppendBatch.each(access, appends);
    appends.forEach((key, append) -> retention.applied(key, append.options(), outcomes.get(key)));
    return outcomes;
  }

  /** Opens a stream that appends at the current end of the blob and commits in pieces. */
  public BlobAppendStream appendStream(Object key) {
    return appendStream(key, StreamOptions.defaults());
  }

  /**
   * Opens a stream that appends and commits in pieces.
   *
   * @param options size of pieces, expected offset, writer
   */
  public BlobAppendStream appendStream(Object key, StreamOptions options) {
    BlobColumn current = new BlobColumn(access.current());
    return BlobAppendStream.open(current.access, current.appender, current, key, options);
  }

  /** Opens a reader of the current content, which must be closed. */
  public BlobReader open(Object key) {
    return BlobReader.open(access.current(), key);
  }

  /**
   * Reads a range.
   *
   * @return the bytes; fewer than requested only at the end
   * @throws InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.DiscardedException if the byte at the offset was discarded
   */
  public byte[] read(Object key, long offset, int length) {
    Arguments.range(offset, length);
    return edits.read(key, offset, length, true);
  }

  /**
   * Reads the whole content without discarded bytes into memory. Allocates no more memory than the
   * content needs.
   *
   * @param limit maximum length of the content, in bytes
   * @throws io.pgtoaster.error.ContentTooLongException if the content is longer than the limit
   */
  public byte[] readAll(Object key, int limit) {
    Arguments.length(limit);
    return edits.readAll(key, limit);
  }

  /**
   * Reads the last lines of UTF-8 text, from the end backwards. A line ends with {@code \n} or
   * {@code \r\n}; the last one may have no terminator.
   *
   * @param lines maximum number of lines
   * @return the lines in order, without terminators; fewer than requested if there are no more
   * @throws io.pgtoaster.error.ContentTooLongException if the lines have more than 16 MB together
   * @throws java.io.UncheckedIOException if the lines are not valid UTF-8
   */
  public List<String> tail(Object key, int lines) {
    Arguments.lines(lines);
    return edits.tail(key, lines);
  }

  /**
   * Reads the same range of many rows into memory. Up to 10,000 rows with 8 MB in total take one
   * round trip. In stores with checksums and in distributed schemas, each row takes one round trip.
   *
   * @param offset of the first byte of each range
   * @param length number of bytes to read from each row
   * @return the bytes by key, in the order of the keys; fewer than requested only at the end of a
   *     blob. Rows that do not exist and NULL columns are left out.
   * @throws io.pgtoaster.error.DiscardedException if the byte at the offset was discarded in any of
   *     the rows
   */
  public <K> Map<K, byte[]> readRanges(Collection<K> keys, long offset, int length) {
    Arguments.range(offset, length);
    return ReadMany.ranges(access, keys, offset, length);
  }

  /**
   * Returns the lengths of many blobs. Up to 10,000 rows take one round trip; in distributed
   * schemas, each row takes one round trip.
   *
   * @return bytes by key, in the order of the keys; 0 for NULL columns. Rows that do not exist are
   *     left out.
   */
  public <K> Map<K, Long> lengths(Collection<K> keys) {
    return ReadMany.lengths(access, keys);
  }

  /** Reads the existing part of a range; returns no bytes if the column is NULL. */
  byte[] readUpTo(Object key, long offset, int length) {
    try {
      return edits.read(key, offset, length, false);
    } catch (BlobNotFoundException e) {
      return new byte[0];
    }
  }

  /**
   * Opens a stream over the current content without discarded bytes. It holds a connection until it
   * is closed.
   */
  public InputStream inputStream(Object key) {
    return BlobReader.whole(access.current(), key);
  }

  /**
   * Opens a stream over a range of the current content. It holds a connection until it is closed.
   *
   * @param length number of bytes; the stream ends earlier at the end of the content
   * @throws InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.DiscardedException if the byte at the offset was discarded
   */
  public InputStream inputStream(Object key, long offset, long length) {
    Arguments.part(offset, length);
    return BlobReader.stream(access.current(), key, offset, length);
  }

  /**
   * Opens a reader that decodes the current content without discarded bytes as UTF-8. If a discard
   * has cut a character, reading starts after that character.
   *
   * @return a reader that throws a {@link java.nio.charset.CharacterCodingException} for malformed
   *     bytes
   */
  public Reader reader(Object key) {
    BlobInputStream in = BlobReader.whole(access.current(), key);
    return in.position() > 0
        ? Utf8.reader(in)
        : new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder());
  }

  /**
   * Opens a reader that decodes the current content as UTF-8, from an offset.
   *
   * @param offset where to start, in bytes; if it is within a character, reading starts after that
   *     character
   * @return a reader that throws a {@link java.nio.charset.CharacterCodingException} for malformed
   *     bytes
   * @throws InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.DiscardedException if the byte at the offset was discarded
   */
  public Reader reader(Object key, long offset) {
    return offset == 0 ? reader(key) : Utf8.reader(inputStream(key, offset, Long.MAX_VALUE));
  }

  /**
   * Opens a writer that appends text in UTF-8 through {@link #appendStream(Object)}.
   *
   * @return a writer that throws a {@link java.nio.charset.CharacterCodingException} for unpaired
   *     surrogates
   */
  public Writer writer(Object key) {
    return new OutputStreamWriter(appendStream(key), StandardCharsets.UTF_8.newEncoder());
  }

  /**
   * Returns a channel. Each of its calls is a call on this column, so it holds no connection and
   * does not pin the content. A write after the end fills the gap with zeros, which are stored. The
   * gap may have up to {@link ChannelOptions#DEFAULT_MAX_GAP} bytes.
   */
  public SeekableByteChannel channel(Object key) {
    return channel(key, ChannelOptions.defaults());
  }

  /** Returns a channel like {@link #channel(Object)}, with options. */
  public SeekableByteChannel channel(Object key, ChannelOptions options) {
    return new BlobChannel(this, key, options);
  }

  /**
   * Returns a JDBC view. Each of its calls is a call on this column. A NULL column is an empty
   * blob. The view rejects writes that would leave a gap after the end.
   *
   * @return a {@link Blob} with 64-bit positions
   */
  public Blob sqlBlob(Object key) {
    return new SqlBlob(this, key);
  }

  /**
   * Opens a stream that reads a blob while it grows, until it is sealed. The stream holds no
   * connection while it waits. If the column is NULL, it waits for the first byte.
   *
   * @param options start offset, polling interval and timeout
   * @return a stream that fails with a {@link io.pgtoaster.error.BlobChangedException} as the cause
   *     if the content that it read no longer exists, or with a {@link
   *     io.pgtoaster.error.DiscardedException} if bytes were discarded before it read them
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the toaster does not support
   *     {@link BlobCapability#SEAL}, or on a connection whose transaction has a fixed snapshot
   */
  public InputStream follow(Object key, FollowOptions options) {
    return new FollowInputStream(access.current(), key, options);
  }

  /**
   * Overwrites bytes, and appends those beyond the end.
   *
   * @throws InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.DiscardedException if the byte at the offset was discarded
   */
  public void write(Object key, long offset, byte[] bytes) {
    Arguments.range(offset, bytes.length);
    edits.write(key, offset, bytes);
  }

  /**
   * Overwrites bytes with a whole stream in one transaction, and appends those beyond the end. Does
   * not close the stream. For a column of type {@code text}, the whole stream is read into memory
   * first.
   *
   * @param in stream to read to its end
   * @throws InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.DiscardedException if the byte at the offset was discarded
   * @throws java.io.UncheckedIOException if the stream fails; nothing is written
   */
  public void write(Object key, long offset, InputStream in) {
    Arguments.offset(offset);
    edits.write(key, offset, in);
  }

  /**
   * Replaces the content.
   *
   * @return offset and length of the bytes
   */
  public AppendResult replace(Object key, byte[] bytes) {
    return edits.replace(
        key, AppendCalls.request(bytes, AppendOptions.defaults().withExpectedOffset(0)));
  }

  /**
   * Replaces the content with a stream, in one transaction. Does not close the stream.
   *
   * @param in stream to read to its end
   * @return offset and length of the bytes
   * @throws java.io.UncheckedIOException if the stream fails; the content is unchanged
   */
  public AppendResult replace(Object key, InputStream in) {
    return edits.replace(
        key, AppendCalls.request(in, AppendOptions.defaults().withExpectedOffset(0)));
  }

  /**
   * Truncates the content.
   *
   * @param length new length, in bytes; 0 if offsets are to begin at 0 again after a discard
   * @throws InvalidOffsetException if the new length is larger than the current one
   * @throws io.pgtoaster.error.DiscardedException if the byte at the new length was discarded
   */
  public void truncate(Object key, long length) {
    Arguments.length(length);
    edits.truncate(key, length);
  }

  /**
   * Discards the bytes before an offset, or does nothing if they were discarded before. The length
   * and the offsets of the other bytes do not change. Up to one chunk of the discarded bytes stays
   * in the tables, but no call reads it.
   *
   * <p>From then on, calls that begin before that offset throw {@link
   * io.pgtoaster.error.DiscardedException}. Calls for the whole content read what is left. {@link
   * #truncate} to 0 and {@link #replace} begin again at offset 0.
   *
   * @param offset of the first byte to keep
   * @return the first offset that is left
   * @throws InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.BlobSealedException if the blob is sealed
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the toaster does not support
   *     {@link BlobCapability#DISCARD}
   */
  public long discardBefore(Object key, long offset) {
    Arguments.offset(offset);
    access.require(BlobCapability.DISCARD);
    return edits.discard(key, offset);
  }

  /**
   * Copies content to another row of this column, without discarded bytes. The offsets of the copy
   * begin at 0.
   *
   * @param from key of the row to copy from
   * @param to key of another row, whose column is NULL
   * @throws InvalidOffsetException if the other row already has content
   */
  public void copy(Object from, Object to) {
    edits.copy(from, to);
  }

  /**
   * Sets the column to NULL. The content is deleted at commit; content above 64 MB is left to gc.
   *
   * @return false if the column was NULL
   */
  public boolean delete(Object key) {
    return edits.delete(key);
  }

  /**
   * Makes the content final. Does nothing if it is already sealed.
   *
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the toaster does not support
   *     {@link BlobCapability#SEAL}
   */
  public void seal(Object key) {
    access.require(BlobCapability.SEAL);
    edits.seal(key);
  }

  /**
   * Rewrites the stored rows of a blob compactly, with the current options of its column.
   *
   * @return number of stored rows rewritten; 0 if there was nothing to do
   */
  public long compact(Object key) {
    return access
        .again()
        .inTransaction(
            BlobOperation.row("compact", key),
            true,
            (c, column, row) -> column.vtable().compact(c, row));
  }

  /**
   * Checks the stored form of a blob for damage.
   *
   * @return problems, one sentence each; empty if there is no damage
   */
  public List<String> verify(Object key) {
    return access
        .again()
        .read(
            BlobOperation.row("verify", key),
            (c, column, row) -> column.findings(c, column.vtable().verify(c, row)));
  }

  /** Lists the first keys of rows with content. See {@link #keys(RowKey, int)}. */
  public List<RowKey> keys(int limit) {
    return keys(null, limit);
  }

  /**
   * Lists the keys of rows with content, in order.
   *
   * @param after last key of the previous page, or null for the first page
   * @param limit maximum number of keys
   * @return keys; fewer than the limit only at the end
   */
  public List<RowKey> keys(@Nullable RowKey after, int limit) {
    Arguments.length(limit);
    return edits.keys(after, limit);
  }

  @Override
  public String toString() {
    return "BlobColumn[" + access + "]";
  }
}
