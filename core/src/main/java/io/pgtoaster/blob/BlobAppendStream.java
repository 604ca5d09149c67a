package io.pgtoaster.blob;

import io.pgtoaster.blob.AppendCalls.Outcome;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Appends in pieces, each at the offset where the previous one ended. Each piece is committed
 * separately, and readers see it after that. If the library takes its own connections, one piece is
 * committed in the background while the next is filled. An error may therefore surface in a later
 * call; {@link #flush()} waits until everything is committed. On the caller's connection, the
 * pieces join the caller's transaction.
 *
 * <p>All methods throw an {@link OffsetConflictException} if another call has changed the length of
 * the blob; the piece is not appended. After this or another error, the stream appends nothing
 * more. The pieces that it has already committed remain, see {@link #position()}. Open a new stream
 * to continue at the end of the blob. Use a stream from one thread at a time.
 */
public final class BlobAppendStream extends OutputStream {
  private static final int FIRST_BUFFER = 64 << 10;
  private static final byte[] EMPTY = {};

  /**
   * The maximum generation in a sequence number, so that a generation and an offset fit into it.
   * Larger ones are replaced by it.
   */
  private static final long MAX_GENERATION = (1 << 18) - 1;

  private static final int OFFSET_BITS = 44;

  private final AppendCalls appender;
  private final Object key;
  private final String place;
  private final boolean inBackground;
  private final boolean wholeCharacters;
  private final int commitEvery;
  private final @Nullable UUID writer;
  private final long generation;
  private boolean created;
  private byte[] buffer = EMPTY;
  private byte[] spare = EMPTY;
  private int count;
  private long position;
  private int inFlightCount;
  private @Nullable Future<Outcome> inFlight;
  private @Nullable Throwable failure;
  private boolean closed;

  private BlobAppendStream(
      ColumnAccess<BlobToaster, BlobVtable> access,
      AppendCalls appender,
      Object key,
      StreamOptions options,
      long start,
      long generation,
      boolean created) {
    ColumnAccess.Resolved<BlobToaster, BlobVtable> column = access.resolved();
    this.appender = appender;
    this.key = key;
    this.place = BlobOperation.row("append", key).describe(column.column().describe());
    this.inBackground = access.connections().anyThread();
    this.wholeCharacters = column.vtable().wholeCharacters();
    this.commitEvery = (int) options.commitEvery();
    this.writer = options.writer();
    this.generation = Math.min(generation, MAX_GENERATION);
    this.position = start;
    this.created = created;
  }

  static BlobAppendStream open(
      ColumnAccess<BlobToaster, BlobVtable> access,
      AppendCalls appender,
      BlobColumn column,
      Object key,
      StreamOptions given) {
    if (given.writer() != null) {
      access.require(BlobCapability.TOKENS);
    }
    @Nullable BlobInfo info = column.info(key).orElse(null);
    long length = info == null ? 0 : info.length();
    Long expected = given.expectedOffset();
    return new BlobAppendStream(
        access,
        appender,
        key,
        given,
        expected == null ? length : expected,
        info == null ? 0 : info.generation(),
        info != null);
  }

  /**
   * Returns the offset after the last byte that this stream has committed; before the first piece,
   * the offset at which it will begin.
   */
  public long position() {
    return position;
  }

  /**
   * Returns the number of bytes that are not committed yet: they are buffered or being committed.
   */
  public long pending() {
    return (long) count + inFlightCount;
  }

  @Override
  public void write(int b) throws IOException {
    ensureOpen();
    if (count == commitEvery) {
      send(true);
    }
    reserve(1);
    buffer[count++] = (byte) b;
    if (count == commitEvery) {
      send(true);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    ensureOpen();
    int from = offset;
    int rest = length;
    while (rest > 0) {
      int part = Math.min(rest, commitEvery - count);
      reserve(part);
      System.arraycopy(bytes, from, buffer, count, part);
      count += part;
      from += part;
      rest -= part;
      if (count == commitEvery) {
        send(true);
      }
    }
  }

  /**
   * Commits all written bytes, and waits for the commit. If the column accepts only whole
   * characters, the bytes of an incomplete character stay buffered.
   */
  @Override
  public void flush() throws IOException {
    ensureOpen();
    send(true);
    settle();
  }

  /**
   * Commits all written bytes, and closes the stream. Creates an empty blob if the column is still
   * NULL.
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (failure == null) {
        send(false);
        settle();
        if (!created) {
          sendNow(EMPTY, 0, position);
        }
      }
    } finally {
      release();
    }
  }

  /**
   * Discards the buffered bytes, and closes the stream. Waits for a piece that is being committed.
   */
  public void abort() {
    if (!closed) {
      closed = true;
      try {
        settle();
      } catch (IOException | OffsetConflictException e) {
        // The caller abandons the stream; position() shows whether the last piece was committed.
      } finally {
        release();
      }
    }
  }

  private void release() {
    count = 0;
    buffer = EMPTY;
    spare = EMPTY;
  }

  private void ensureOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
    if (failure != null) {
      throw new IOException("the stream has already failed; open a new one", failure);
    }
  }

  private void reserve(int more) {
    if (buffer.length < count + more) {
      long size = Math.max(Math.max(FIRST_BUFFER, count + more), 4L * buffer.length);
      buffer = Arrays.copyOf(buffer, (int) Math.min(size, commitEvery));
    }
  }

  /** Starts to append the buffered bytes. */
  private void send(boolean more) throws IOException {
    settle();
    int kept = wholeCharacters && more ? Utf8.incomplete(buffer, count) : 0;
    int size = count - kept;
    if (size <= 0) {
      return;
    }
    byte[] piece = buffer;
    long at = position;
    buffer = kept == 0 ? spare : Arrays.copyOfRange(piece, size, Math.max(count, size + 64));
    spare = piece;
    count = kept;
    if (inBackground && more) {
      inFlightCount = size;
      inFlight = Background.start(() -> append(piece, size, at));
    } else {
      sendNow(piece, size, at);
    }
  }

  private void sendNow(byte[] piece, int size, long at) throws IOException {
    try {
      commit(append(piece, size, at));
    } catch (RuntimeException e) {
      failure = e;
      throw Background.asIo(e);
    }
  }

  private Outcome append(byte[] piece, int size, long at) {
    AppendOptions options = AppendOptions.defaults().withExpectedOffset(at);
    if (writer != null && size > 0) {
      options = options.withToken(new AppendToken(writer, (generation << OFFSET_BITS) + at + 1));
    }
    return appender.append(
        key, new AppendRequest(piece, 0, size, null, options.expectedOffset(), options.token()));
  }

  /** Waits for the piece that is being committed, if any. */
  private void settle() throws IOException {
    Future<Outcome> waited = inFlight;
    if (waited == null) {
      return;
    }
    try {
      Outcome sent = Background.await(waited);
      settled();
      commit(sent);
    } catch (InterruptedIOException e) {
      // The piece is still being committed; the next call waits for it.
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      settled();
      failure = e;
      throw e;
    }
  }

  private void settled() {
    inFlight = null;
    inFlightCount = 0;
  }

  private void commit(Outcome sent) {
    AppendResult result = sent.result();
    if (result.repeated() && !sent.again()) {
      // Another stream with the same writer appended at this offset, possibly different bytes.
      throw SqlErrors.at(new OffsetConflictException(position, lengthNow(result)), place);
    }
    created = true;
    position = result.end();
  }

  /**
   * Returns the length of the blob by appending zero bytes; if that fails, the last known length.
   */
  private long lengthNow(AppendResult known) {
    try {
      return append(EMPTY, 0, position).result().offset();
    } catch (OffsetConflictException e) {
      return e.actual();
    } catch (RuntimeException e) {
      return known.end();
    }
  }
}
