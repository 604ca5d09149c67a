package io.pgtoaster.blob;

import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.InvalidOffsetException;
import org.jspecify.annotations.Nullable;

/** Options of an append. Immutable. */
public final class AppendOptions {
  private static final AppendOptions DEFAULTS = new AppendOptions(null, null);

  private final @Nullable Long expectedOffset;
  private final @Nullable AppendToken token;

  private AppendOptions(@Nullable Long expectedOffset, @Nullable AppendToken token) {
    if (expectedOffset != null && expectedOffset < 0) {
      throw new InvalidOffsetException("expected offset " + expectedOffset + " is negative");
    }
    this.expectedOffset = expectedOffset;
    this.token = token;
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
    return new AppendOptions(offset, token);
  }

  /**
   * Returns these options with a token.
   *
   * @param name token that identifies the append
   * @return new options
   */
  public AppendOptions withToken(AppendToken name) {
    return new AppendOptions(expectedOffset, name);
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
}
