package io.pgtoaster.blob;

import io.pgtoaster.error.InvalidOffsetException;
import org.jspecify.annotations.Nullable;

/**
 * Options of an append.
 *
 * @param expectedOffset length that the blob must have, or null for any; a blob that is not there
 *     yet has length 0
 * @param token name of the append for safe retries, or null
 */
public record AppendOptions(@Nullable Long expectedOffset, @Nullable AppendToken token) {
  private static final AppendOptions DEFAULTS = new AppendOptions(null, null);

  /**
   * Checks the offset.
   *
   * @param expectedOffset as the component says
   * @param token as the component says
   */
  public AppendOptions {
    if (expectedOffset != null && expectedOffset < 0) {
      throw new InvalidOffsetException("expected offset " + expectedOffset + " is negative");
    }
  }

  /**
   * Returns options that append at whatever end the blob has, without a token.
   *
   * @return the defaults
   */
  public static AppendOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with an expected offset.
   *
   * @param offset length that the blob must have, in bytes
   * @return new options
   */
  public AppendOptions at(long offset) {
    return new AppendOptions(offset, token);
  }

  /**
   * Returns these options with a token.
   *
   * @param name of the append
   * @return new options
   */
  public AppendOptions token(AppendToken name) {
    return new AppendOptions(expectedOffset, name);
  }
}
