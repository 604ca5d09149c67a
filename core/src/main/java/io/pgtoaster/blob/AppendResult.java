package io.pgtoaster.blob;

import io.pgtoaster.error.OffsetConflictException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Result of an append; two are equal if offset, length and outcome are. */
public final class AppendResult {
  private final long offset;
  private final long length;
  private final AppendOutcome outcome;

  /** Null unless the append conflicted. */
  private final @Nullable Asked asked;

  /** What a conflicting append was about. */
  private record Asked(String place, long expected) {}

  private AppendResult(long offset, long length, AppendOutcome outcome, @Nullable Asked asked) {
    this.offset = offset;
    this.length = length;
    this.outcome = outcome;
    this.asked = asked;
  }

  /**
   * Tells of appended bytes.
   *
   * @param offset where they begin
   * @param length number of them
   * @return {@link AppendOutcome#APPLIED}
   */
  public static AppendResult applied(long offset, long length) {
    return new AppendResult(offset, length, AppendOutcome.APPLIED, null);
  }

  /**
   * Tells of bytes that an earlier call with the same token had appended.
   *
   * @param offset where they begin
   * @param length number of them
   * @return {@link AppendOutcome#ALREADY_APPLIED}
   */
  public static AppendResult alreadyApplied(long offset, long length) {
    return new AppendResult(offset, length, AppendOutcome.ALREADY_APPLIED, null);
  }

  /**
   * Tells that the blob has not the expected length.
   *
   * @param actual length that it has, in bytes
   * @return {@link AppendOutcome#CONFLICT}
   */
  public static AppendResult conflict(long actual) {
    return new AppendResult(actual, 0, AppendOutcome.CONFLICT, null);
  }

  /** This result of an append that expected a length there. */
  AppendResult asked(String place, long expected) {
    return new AppendResult(offset, length, outcome, new Asked(place, expected));
  }

  /**
   * Returns where the appended bytes begin.
   *
   * @return bytes from the start; for {@link AppendOutcome#CONFLICT} the length that the blob has
   *     instead of the expected offset
   */
  public long offset() {
    return offset;
  }

  /**
   * Returns the number of bytes that are appended.
   *
   * @return bytes; 0 for {@link AppendOutcome#CONFLICT}
   */
  public long length() {
    return length;
  }

  /**
   * Returns what became of the append.
   *
   * @return the outcome
   */
  public AppendOutcome outcome() {
    return outcome;
  }

  /**
   * Returns the offset behind the appended bytes.
   *
   * @return {@code offset + length}
   */
  public long end() {
    return offset + length;
  }

  /**
   * Refuses a conflict, for callers that have nothing to do on one.
   *
   * @return this, if the bytes are appended, be it by this call or by an earlier one with the same
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
