package io.pgtoaster.blob;

import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.InvalidOffsetException;
import org.jspecify.annotations.Nullable;

/** Options of an append. Immutable. */
public final class AppendOptions {
  private static final AppendOptions DEFAULTS = new AppendOptions(null, null, null);

  private final @Nullable Long expectedOffset;
  private final @Nullable AppendToken token;

  private final @Nullable Long keepLast;

  private AppendOptions(
      @Nullable Long expectedOffset, @Nullable AppendToken token, @Nullable Long keepLast) {
    if (expectedOffset != null && expectedOffset < 0) {
      throw new InvalidOffsetException("expected offset " + expectedOffset + " is negative");
    }
    if (keepLast != null) {
      Arguments.length(keepLast);
    }
    this.expectedOffset = expectedOffset;
    this.token = token;
    this.keepLast = keepLast;
  }

  /**
   * Returns the defaults.
   *
   * @return options for any length, without a token
   */
  public static AppendOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with an expected offset.
   *
   * @param offset length that the blob must have, in bytes; a blob that does not exist yet has
   *     length 0
   * @return new options
   */
  public AppendOptions withExpectedOffset(long offset) {
    return new AppendOptions(offset, token, keepLast);
  }

  /**
   * Returns these options with a token.
   *
   * @param name token that identifies the append
   * @return new options
   */
  public AppendOptions withToken(AppendToken name) {
    return new AppendOptions(expectedOffset, name, keepLast);
  }

  /**
   * Returns these options with a limit on what the blob keeps: the append may discard older bytes,
   * see {@link BlobColumn#discardBefore}. If all appends to a blob have this option, it keeps at
   * least {@code bytes} bytes, and at most an eighth more or 256 KB more, whichever is larger.
   *
   * <p>Only an append that passes a multiple of that size discards, with a second statement.
   * Outside a transaction this statement is committed separately. If it fails, the append succeeds,
   * a warning is logged, and a later append discards the bytes.
   *
   * @param bytes number of bytes to keep
   * @return new options
   */
  public AppendOptions withKeepLast(long bytes) {
    return new AppendOptions(expectedOffset, token, bytes);
  }

  /**
   * Returns the length that the blob must have.
   *
   * @return bytes; null for any length
   */
  public @Nullable Long expectedOffset() {
    return expectedOffset;
  }

  /**
   * Returns the token that identifies the append, for safe retries.
   *
   * @return the token, or null
   */
  public @Nullable AppendToken token() {
    return token;
  }

  /**
   * Returns the number of bytes to keep.
   *
   * @return bytes; null if nothing is discarded
   */
  public @Nullable Long keepLast() {
    return keepLast;
  }
}
