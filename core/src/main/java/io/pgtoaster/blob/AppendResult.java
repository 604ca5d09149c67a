package io.pgtoaster.blob;

import io.pgtoaster.error.OffsetConflictException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The result of an append. Two results are equal if offset, length and outcome are equal. */
public final class AppendResult {
  private final long offset;
  private final long length;
  private final AppendOutcome outcome;

  /** Null unless the append conflicted. */
  private final @Nullable Asked asked;

  /** The place and the expected length of a conflicting append. */
  private record Asked(String place, long expected) {}

  private AppendResult(long offset, long length, AppendOutcome outcome, @Nullable Asked asked) {
    this.offset = offset;
    this.length = length;
    this.outcome = outcome;
    this.asked = asked;
  }

  /**
   * Returns the result of an append that was applied.
   *
   * @param offset of the first appended byte
   * @param length number of appended bytes
   * @return {@link AppendOutcome#APPLIED}
   */
  public static AppendResult applied(long offset, long length) {
    return new AppendResult(offset, length, AppendOutcome.APPLIED, null);
  }

  /**
   * Returns the result of an append that an earlier call with the same token has applied.
   *
   * @param offset of the first appended byte
   * @param length number of appended bytes
   * @return {@link AppendOutcome#ALREADY_APPLIED}
   */
  public static AppendResult alreadyApplied(long offset, long length) {
    return new AppendResult(offset, length, AppendOutcome.ALREADY_APPLIED, null);
  }

  /**
   * Returns the result of an append to a blob that does not have the expected length.
   *
   * @param actual actual length of the blob, in bytes
   * @return {@link AppendOutcome#CONFLICT}
   */
  public static AppendResult conflict(long actual) {
    return new AppendResult(actual, 0, AppendOutcome.CONFLICT, null);
  }

  /** Returns this result with the place and the expected length of the append. */
  AppendResult asked(String place, long expected) {
    return new AppendResult(offset, length, outcome, new Asked(place, expected));
  }

  /**
   * Returns the offset of the first appended byte.
   *
   * @return bytes from the start; for {@link AppendOutcome#CONFLICT} the actual length of the blob
   */
  public long offset() {
    return offset;
  }

  /**
   * Returns the number of appended bytes.
   *
   * @return bytes; 0 for {@link AppendOutcome#CONFLICT}
   */
  public long length() {
    return length;
  }

  /**
   * Returns the outcome of the append.
   *
   * @return the outcome
   */
  public AppendOutcome outcome() {
    return outcome;
  }

  /**
   * Returns the offset after the last appended byte.
   *
   * @return {@code offset + length}
   */
  public long end() {
    return offset + length;
  }

  /**
   * Returns this result, or throws an exception if the append conflicted.
   *
   * @return this result, if the bytes were appended by this call or by an earlier one with the same
   *     token
   * @throws OffsetConflictException for {@link AppendOutcome#CONFLICT}
   */
  public AppendResult orThrow() {
    if (outcome != AppendOutcome.CONFLICT) {
      return this;
    }
    if (asked == null) {
      throw new IllegalStateException("the result is not of an append to a BlobColumn");
    }
    throw new OffsetConflictException(asked.expected(), offset).at(asked.place());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AppendResult that
        && offset == that.offset
        && length == that.length
        && outcome == that.outcome;
  }

  @Override
  public int hashCode() {
    return Objects.hash(offset, length, outcome);
  }

  @Override
  public String toString() {
    return "AppendResult[offset=%d, length=%d, outcome=%s]".formatted(offset, length, outcome);
  }
}
