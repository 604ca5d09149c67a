package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.internal.Attempts;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Appends to the rows of a column, in one statement if possible. */
final class AppendCalls {
  /**
   * Number of bytes to read ahead from a stream. If the stream ends within these bytes, the append
   * is sent from memory and can be repeated.
   */
  static final int READ_AHEAD = 1 << 20;

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
  record Outcome(AppendResult result, boolean again) {}

  /** Appends; repeats the append after a lost connection if it has a token. */
  Outcome append(Object key, AppendRequest request) {
    ColumnAccess<BlobToaster, BlobVtable> current = access.current();
    Connections connections = current.connections();
    boolean token = request.token() != null;
    if (token) {
      current.require(BlobCapability.TOKENS);
    }
    BlobOperation context = context(key, request);
    if (request.rest() != null) {
      return new Outcome(
          current.inTransaction(
              context, false, (c, column, row) -> column.vtable().append(c, row, request)),
          false);
    }
    boolean combines =
        !token
            && request.expectedOffset() == null
            && request.count() <= AppendCombiner.MAX_BYTES
            && connections.anyThread();
    Attempts attempts = new Attempts(true, token && connections.connectionPerCall());
    AppendResult result =
        current.run(
            context,
            attempts,
            column -> {
              Function<AppendRequest, AppendResult> append =
                  r ->
                      connections.write(
                          new Attempts(true),
                          column.bind(
                              (c, at, row) -> Optional.ofNullable(at.vtable().tryAppend(c, row, r)),
                              context),
                          column.bind((c, at, row) -> at.vtable().append(c, row, r), context));
              // If appends must consist of whole characters, do not combine them, because two
              // halves of a character would pass the check.
              return combines && !column.vtable().wholeCharacters()
                  ? combiner.append(column.key(key), request, append)
                  : append.apply(request);
            });
    return new Outcome(result, attempts.mayBeCommitted());
  }

  static BlobOperation context(Object key, AppendRequest request) {
    @Nullable Long expected = request.expectedOffset();
    long length = request.rest() == null ? request.count() : -1;
    return new BlobOperation("append", key, expected == null ? -1 : expected, length);
  }
}
