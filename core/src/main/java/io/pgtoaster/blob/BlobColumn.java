package io.pgtoaster.blob;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.internal.CallersConnection;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of one column. A key addresses a row: the value of its key column, or a {@link List} of
 * them for a composite key, or a {@link RowKey}.
 *
 * <p>As thread-safe as what it was made from: for any threads over a data source, for one at a time
 * over a connection. All methods throw {@link io.pgtoaster.error.RowNotFoundException} where there
 * is no row with the key, and those that neither append nor tell a length {@link
 * BlobNotFoundException} where its column is NULL.
 *
 * <p>A call finds its content when it begins. If plain SQL moves a handle to another row while a
 * small append waits for its lock, the bytes go with the content to that row.
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
  private final ColumnAccess<BlobToaster, BlobVtable> access;
  private final AppendCalls appender;
  private final Edits edits;

  private BlobColumn(ColumnAccess<BlobToaster, BlobVtable> access) {
    this.access = access;
    this.appender = new AppendCalls(access);
    this.edits = new Edits(access);
  }

  /**
   * Makes a handle; the entry point is {@code PgToaster}.
   *
   * @param access to the column, which is looked up at first use
   * @return the handle
   */
  public static BlobColumn of(ColumnAccess<BlobToaster, BlobVtable> access) {
    return new BlobColumn(access);
  }

  /**
   * Returns this column in the transaction of a connection to the same database, as a handle made
   * by {@code PgToaster.on} would be; what has been looked up for one of the two the other knows.
   *
   * @param connection stays the caller's: it is never closed, and no transaction of the caller is
   *     committed or rolled back
   * @return another handle, for one thread at a time
   */
  public BlobColumn on(Connection connection) {
    Objects.requireNonNull(connection, "connection");
    return new BlobColumn(access.on(new CallersConnection(connection)));
  }

  /**
   * Returns the toaster of the column.
   *
   * @return the toaster
   */
  public BlobToaster toaster() {
    return access.resolved().toaster();
  }

  /**
   * Returns what the toaster can do beyond what all can.
   *
   * @return an immutable set
   */
  public Set<BlobCapability> capabilities() {
    return toaster().capabilities();
  }

  /**
   * Returns where the column is, its row key and its options.
   *
   * @return the column as it was looked up
   */
  public AttachedColumn describe() {
    return access.resolved().column();
  }

  /**
   * Looks at a blob without reading it.
   *
   * @param key of the row
   * @return length, generation and more; empty if the column is NULL
   */
  public Optional<BlobInfo> info(Object key) {
    return edits.info(key);
  }

  /**
   * Returns the length of a blob.
   *
   * @param key of the row
   * @return bytes; 0 if the column is NULL
   */
  public long length(Object key) {
    return info(key).map(BlobInfo::length).orElse(0L);
  }

  /**
   * Makes empty content that no row names yet, for the transaction that inserts its row: {@code
   * INSERT INTO recording (id, audio) VALUES (?, ?)} with the handle in the column. From then on
   * the row's key leads to it.
   *
   * @return the handle
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction of the caller,
   *     see {@link #on}
   * @throws io.pgtoaster.error.UnsupportedCapabilityException without {@link
   *     BlobCapability#HANDLES}, or if the store has a leading key, which is the row's
   */
  public long create() {
    return create(1)[0];
  }

  /**
   * Makes empty contents that no rows name yet, in one statement. What no row names when the
   * transaction is committed stays until {@code gc} takes it, after its grace period.
   *
   * @param count how many
   * @return their handles
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction of the caller,
   *     see {@link #on}
   * @throws io.pgtoaster.error.UnsupportedCapabilityException without {@link
   *     BlobCapability#HANDLES}, or if the store has a leading key, which is the row's
   */
  public long[] create(int count) {
    Arguments.length(count);
    return edits.create(count);
  }

  /**
   * Appends; creates the blob if the column is NULL, also with no bytes.
   *
   * @param key of the row
   * @param bytes to append
   * @return where they are
   */
  public AppendResult append(Object key, byte[] bytes) {
    return append(key, bytes, AppendOptions.defaults());
  }

  /**
   * Appends; creates the blob if the column is NULL, also with no bytes.
   *
   * @param key of the row
   * @param bytes to append
   * @param options expected offset and token
   * @return what became of it
   */
  public AppendResult append(Object key, byte[] bytes, AppendOptions options) {
    return appender.append(key, AppendCalls.request(bytes, options));
  }

  /**
   * Appends all of a stream at once: readers see all of it or nothing. The stream is not closed.
   *
   * @param key of the row
   * @param in read to its end
   * @return where the bytes are
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended then
   */
  public AppendResult append(Object key, InputStream in) {
    return append(key, in, AppendOptions.defaults());
  }

  /**
   * Appends all of a stream at once: readers see all of it or nothing. The stream is not closed.
   *
   * @param key of the row
   * @param in read to its end, unless it conflicts; where the token was used before, only to count
   *     its bytes
   * @param options expected offset and token
   * @return what became of it
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended then
   */
  public AppendResult append(Object key, InputStream in, AppendOptions options) {
    return appender.append(key, AppendCalls.request(in, options));
  }

  /**
   * Opens a stream that commits what is written in pieces, from the present end of the blob on.
   *
   * @param key of the row
   * @return a stream for one thread
   */
  public BlobAppendStream appendStream(Object key) {
    return appendStream(key, StreamOptions.defaults());
  }

  /**
   * Opens a stream that commits what is written in pieces.
   *
   * @param key of the row
   * @param options size of pieces, expected offset, writer
   * @return a stream for one thread
   */
  public BlobAppendStream appendStream(Object key, StreamOptions options) {
    BlobColumn now = new BlobColumn(access.now());
    return BlobAppendStream.open(now.access, now.appender, now, key, options);
  }

  /**
   * Opens a reader over the present content.
   *
   * @param key of the row
   * @return a reader, to be closed
   */
  public BlobReader open(Object key) {
    return BlobReader.open(access.now(), key);
  }

  /**
   * Reads a range.
   *
   * @param key of the row
   * @param offset of the first byte
   * @param length number of bytes wanted
   * @return the bytes, fewer only at the end
   * @throws InvalidOffsetException if the offset is beyond the end
   */
  public byte[] read(Object key, long offset, int length) {
    Arguments.range(offset, length);
    return edits.read(key, offset, length, true);
  }

  /** Reads a range, or nothing where there is none. */
  byte[] readUpTo(Object key, long offset, int length) {
    try {
      return edits.read(key, offset, length, false);
    } catch (BlobNotFoundException e) {
      return new byte[0];
    }
  }

  /**
   * Opens a stream over the present content. It holds a connection until it is closed.
   *
   * @param key of the row
   * @return a stream for one thread
   */
  public InputStream inputStream(Object key) {
    return BlobReader.stream(access.now(), key, 0, Long.MAX_VALUE);
  }

  /**
   * Opens a stream over a range of the present content. It holds a connection until it is closed.
   *
   * @param key of the row
   * @param offset of the first byte
   * @param length number of bytes; the stream ends earlier at the end of the content
   * @return a stream for one thread
   * @throws InvalidOffsetException if the offset is beyond the end
   */
  public InputStream inputStream(Object key, long offset, long length) {
    Arguments.part(offset, length);
    return BlobReader.stream(access.now(), key, offset, length);
  }

  /**
   * Opens a reader of text in UTF-8 over the present content.
   *
   * @param key of the row
   * @return a reader that reports malformed bytes by a {@link
   *     java.nio.charset.CharacterCodingException}
   */
  public Reader reader(Object key) {
    return new InputStreamReader(
        inputStream(key),
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /**
   * Opens a writer that appends text in UTF-8 as {@link #appendStream(Object)} does.
   *
   * @param key of the row
   * @return a writer that reports lone surrogates by a {@link
   *     java.nio.charset.CharacterCodingException}
   */
  public Writer writer(Object key) {
    return new OutputStreamWriter(
        appendStream(key),
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /**
   * Returns a channel. Each of its calls is one on this column: it holds no connection and does not
   * pin what it reads. What is written behind the end makes the bytes between zeros, which are
   * stored, up to {@link ChannelOptions#DEFAULT_MAX_GAP} of them.
   *
   * @param key of the row
   * @return a channel for one thread
   */
  public SeekableByteChannel channel(Object key) {
    return channel(key, ChannelOptions.defaults());
  }

  /**
   * Returns a channel, as {@link #channel(Object)} does.
   *
   * @param key of the row
   * @param options how far behind the end may be written
   * @return a channel for one thread
   */
  public SeekableByteChannel channel(Object key, ChannelOptions options) {
    return new BlobChannel(this, key, options);
  }

  /**
   * Returns a JDBC view. Each of its calls is one on this column. Where the column is NULL it is
   * empty; it refuses to write behind its end.
   *
   * @param key of the row
   * @return a {@link Blob} with positions of 64 bits
   */
  public Blob sqlBlob(Object key) {
    return new SqlBlob(this, key);
  }

  /**
   * Reads a blob while it grows, until it is sealed. No connection is held while it waits; where
   * the column is NULL it waits for the first byte.
   *
   * @param key of the row
   * @param options from where, how often to look, how long to wait
   * @return a stream for one thread; it fails with a {@link
   *     io.pgtoaster.error.BlobChangedException} as the cause when what was read is no longer there
   * @throws io.pgtoaster.error.UnsupportedCapabilityException without {@link BlobCapability#SEAL},
   *     or on a connection in a transaction of a fixed snapshot
   */
  public InputStream follow(Object key, FollowOptions options) {
    return new FollowInputStream(access.now(), key, options);
  }

  /**
   * Overwrites bytes, and appends those that reach beyond the end.
   *
   * @param key of the row
   * @param offset of the first byte
   * @param bytes to write
   * @throws InvalidOffsetException if the offset is beyond the end
   */
  public void write(Object key, long offset, byte[] bytes) {
    Arguments.range(offset, bytes.length);
    access.writeOrTransact(
        new BlobOperation("write", key, offset, bytes.length),
        (c, column, row) -> done(column.vtable().tryWrite(c, row, offset, bytes), bytes),
        (c, column, row) -> {
          column.vtable().write(c, row, offset, bytes, 0, bytes.length);
          return bytes;
        });
  }

  /**
   * Replaces the content.
   *
   * @param key of the row
   * @param bytes the new content
   * @return where they are
   */
  public AppendResult replace(Object key, byte[] bytes) {
    return edits.replace(
        key, AppendCalls.request(bytes, AppendOptions.defaults().withExpectedOffset(0)));
  }

  /**
   * Replaces the content by a stream, at once. The stream is not closed.
   *
   * @param key of the row
   * @param in read to its end
   * @return where the bytes are
   * @throws java.io.UncheckedIOException if the stream fails; the content stays as it was then
   */
  public AppendResult replace(Object key, InputStream in) {
    return edits.replace(
        key, AppendCalls.request(in, AppendOptions.defaults().withExpectedOffset(0)));
  }

  /**
   * Cuts the content.
   *
   * @param key of the row
   * @param length that it shall have
   * @throws InvalidOffsetException if that is more than it has
   */
  public void truncate(Object key, long length) {
    Arguments.length(length);
    access.writeOrTransact(
        new BlobOperation("truncate", key, -1, length),
        (c, column, row) -> done(column.vtable().tryTruncate(c, row, length), length),
        (c, column, row) -> {
          column.vtable().truncate(c, row, length);
          return length;
        });
  }

  /**
   * Copies content into another row of this column.
   *
   * @param from key of the row to copy from
   * @param to key of another row, whose column is NULL
   * @throws InvalidOffsetException if the other row has content already
   */
  public void copy(Object from, Object to) {
    edits.copy(from, to);
  }

  /**
   * Sets the column to NULL; the content goes at commit.
   *
   * @param key of the row
   * @return false if the column was NULL
   */
  public boolean delete(Object key) {
    return edits.delete(key);
  }

  /**
   * Makes the content final; harmless if it is already.
   *
   * @param key of the row
   * @throws io.pgtoaster.error.UnsupportedCapabilityException without {@link BlobCapability#SEAL}
   */
  public void seal(Object key) {
    access.require(BlobCapability.SEAL);
    access.writeOrTransact(
        BlobOperation.row("seal", key),
        (c, column, row) -> done(column.vtable().trySeal(c, row), row),
        (c, column, row) -> {
          column.vtable().seal(c, row);
          return row;
        });
  }

  private static <R> Optional<R> done(boolean done, R result) {
    return done ? Optional.of(result) : Optional.empty();
  }

  /**
   * Brings what is stored of a blob into its best form under the options that its column has now.
   *
   * @param key of the row
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
   * Looks for damage in what is stored of a blob.
   *
   * @param key of the row
   * @return what is wrong, one sentence each; empty if all is well
   */
  public List<String> verify(Object key) {
    return access
        .again()
        .read(
            BlobOperation.row("verify", key),
            (c, column, row) -> column.findings(c, column.vtable().verify(c, row)));
  }

  /**
   * Lists rows with content, in the order of their key.
   *
   * @param after the last key of the page before, or null for the first page
   * @param limit highest number of keys
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
