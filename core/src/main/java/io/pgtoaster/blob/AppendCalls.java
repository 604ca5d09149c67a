package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.BlobCapability;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends to the rows of a column through its vtable: uses one statement if possible, and retries
 * if that is safe.
 */
final class AppendCalls {
  /**
   * Number of bytes to read ahead from a stream. If the stream ends within these bytes, the append
   * is sent from memory and can be repeated.
   */
  static final int READ_AHEAD = 1 << 20;

  private static final int MAX_ATTEMPTS = 7;
  private static final long FIRST_PAUSE_NANOS = 25_000_000;

  private final ColumnAccess<BlobToaster, BlobVtable> access;
  private final AppendCombiner combiner = new AppendCombiner();

  AppendCalls(ColumnAccess<BlobToaster, BlobVtable> access) {
    this.access = access;
  }

  static AppendRequest request(byte[] bytes, AppendOptions options) {
    return new AppendRequest(
        bytes, 0, bytes.length, null, options.expectedOffset(), options.token());
  }

  /** Uses the array of the buffer if it is accessible. */
  static AppendRequest request(ByteBuffer bytes, AppendOptions options) {
    int count = bytes.remaining();
    if (bytes.hasArray()) {
      int from = bytes.arrayOffset() + bytes.position();
      return new AppendRequest(
          bytes.array(), from, count, null, options.expectedOffset(), options.token());
    }
    byte[] copy = new byte[count];
    bytes.get(bytes.position(), copy);
    return request(copy, options);
  }

  static AppendRequest request(InputStream in, AppendOptions options) {
    byte[] head = read(in, READ_AHEAD);
    return new AppendRequest(
        head,
        0,
        head.length,
        head.length < READ_AHEAD ? null : in,
        options.expectedOffset(),
        options.token());
  }

  /** Reads {@code most} bytes, or fewer at the end. */
  static byte[] read(InputStream in, int most) {
    try {
      return in.readNBytes(most);
    } catch (IOException e) {
      throw new UncheckedIOException("the input stream failed; nothing was changed", e);
    }
  }

  /**
   * The outcome of an append.
   *
   * @param result of the attempt that succeeded
   * @param again whether an earlier attempt may have applied the append
   */
  record Outcome<R>(R result, boolean again) {}

  AppendResult append(Object key, AppendRequest request) {
    return send(key, request).result();
  }

  Outcome<AppendResult> send(Object key, AppendRequest request) {
    ColumnAccess<BlobToaster, BlobVtable> current = access.current();
    boolean token = request.token() != null;
    if (token) {
      current.require(BlobCapability.TOKENS);
    }
    BlobOperation context = context(key, request);
    if (request.rest() != null) {
      return new Outcome<>(
          current.inTransaction(
              context, false, (c, column, row) -> column.vtable().append(c, row, request)),
          false);
    }
    boolean combines =
        !token
            && request.expectedOffset() == null
            && request.count() <= AppendCombiner.MAX_BYTES
            && current.connections().anyThread();
    return retried(
        token && current.connections().connectionPerCall(),
        () ->
            current.run(
                context,
                true,
                column -> {
                  Function<AppendRequest, AppendResult> append =
                      r -> once(current.connections(), column, context, r);
                  // If appends must consist of whole characters, do not combine them, because two
                  // halves of a character would pass the check.
                  return combines && !column.vtable().wholeCharacters()
                      ? combiner.append(column.key(key), request, append)
                      : append.apply(request);
                }));
  }

  /**
   * Sends an append, and sends it again after a lost connection if that is safe.
   *
   * @param detectsRepeats whether the server recognises an append that is sent again
   */
  static <R> Outcome<R> retried(boolean detectsRepeats, Supplier<R> append) {
    @Nullable OutcomeUnknownException unknown = null;
    for (int attempt = 1; ; attempt++) {
      try {
        return new Outcome<>(append.get(), unknown != null);
      } catch (OutcomeUnknownException | ConnectionLostException e) {
        boolean broken = e.getCause() instanceof SQLException;
        if (broken && unknown == null && e instanceof OutcomeUnknownException first) {
          unknown = first;
        }
        if (!detectsRepeats
            || !broken
            || attempt == MAX_ATTEMPTS
            || Thread.currentThread().isInterrupted()) {
          // The outcome of that attempt remains unknown, whatever happens to later attempts.
          if (unknown != null && unknown != e) {
            unknown.addSuppressed(e);
            throw unknown;
          }
          throw e;
        }
        LockSupport.parkNanos(FIRST_PAUSE_NANOS << attempt);
      }
    }
  }

  private static AppendResult once(
      Connections connections,
      Resolved<BlobToaster, BlobVtable> column,
      BlobOperation context,
      AppendRequest request) {
    return connections.writeOrTransact(
        c ->
            column.run(
                (at, r, row) -> Optional.ofNullable(r.vtable().tryAppend(at, row, request)),
                c,
                context),
        c -> column.run((at, r, row) -> r.vtable().append(at, row, request), c, context));
  }

  static BlobOperation context(Object key, AppendRequest request) {
    @Nullable Long expected = request.expectedOffset();
    long length = request.rest() == null ? request.count() : -1;
    return new BlobOperation("append", key, expected == null ? -1 : expected, length);
  }
}
