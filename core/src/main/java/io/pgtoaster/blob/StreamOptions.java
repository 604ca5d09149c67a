package io.pgtoaster.blob;

import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.InvalidOffsetException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Options of an append stream. Immutable. */
public final class StreamOptions {
  /** Minimum size of a piece, in bytes. */
  public static final long MIN_COMMIT_EVERY = 1024;

  /** Default size of a piece, in bytes. */
  public static final long DEFAULT_COMMIT_EVERY = 4 << 20;

  /** Maximum size of a piece, in bytes. */
  public static final long MAX_COMMIT_EVERY = 64 << 20;

  private static final StreamOptions DEFAULTS = new StreamOptions(DEFAULT_COMMIT_EVERY, null, null);

  private final long commitEvery;
  private final @Nullable Long expectedOffset;
  private final @Nullable UUID writer;

  private StreamOptions(long commitEvery, @Nullable Long expectedOffset, @Nullable UUID writer) {
    if (commitEvery < MIN_COMMIT_EVERY || commitEvery > MAX_COMMIT_EVERY) {
      throw new IllegalArgumentException(
          "commitEvery %s is not between %s and %s"
              .formatted(commitEvery, MIN_COMMIT_EVERY, MAX_COMMIT_EVERY));
    }
    if (expectedOffset != null && expectedOffset < 0) {
      throw new InvalidOffsetException("expected offset " + expectedOffset + " is negative");
    }
    this.commitEvery = commitEvery;
    this.expectedOffset = expectedOffset;
    this.writer = writer;
  }

  /**
   * Returns the defaults: pieces of {@link #DEFAULT_COMMIT_EVERY} bytes from the current end on,
   * without tokens.
   */
  public static StreamOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a different piece size in bytes. Each piece is committed separately.
   * The stream buffers one piece, or two if pieces are committed in the background.
   */
  public StreamOptions withCommitEvery(long bytes) {
    return new StreamOptions(bytes, expectedOffset, writer);
  }

  /**
   * Returns these options with the length that the blob must have when the first piece arrives, in
   * bytes.
   */
  public StreamOptions withExpectedOffset(long offset) {
    return new StreamOptions(commitEvery, offset, writer);
  }

  /**
   * Returns these options with the id of a writer, see {@link AppendToken#newWriter()}. Each piece
   * then has a token, so that it can be sent again after a broken connection without being applied
   * twice. The sequences are computed from generation and offset, so this writer should append only
   * through streams.
   */
  public StreamOptions withWriter(UUID id) {
    return new StreamOptions(commitEvery, expectedOffset, id);
  }

  /** Returns the size of a piece in bytes. */
  public long commitEvery() {
    return commitEvery;
  }

  /**
   * Returns the length that the blob must have when the first piece arrives, in bytes; null for its
   * length when the stream is opened.
   */
  public @Nullable Long expectedOffset() {
    return expectedOffset;
  }

  /** Returns the id of the writer; null for pieces without tokens. */
  public @Nullable UUID writer() {
    return writer;
  }
}
