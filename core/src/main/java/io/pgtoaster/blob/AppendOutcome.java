package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.PgToasterException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The outcome of an append to one row of a batch: a result or a failure. */
public final class AppendOutcome {
  private final @Nullable AppendResult result;
  private final @Nullable PgToasterException failure;

  AppendOutcome(AppendResult result) {
    this.result = result;
    this.failure = null;
  }

  AppendOutcome(PgToasterException failure) {
    this.result = null;
    this.failure = failure;
  }

  /** Returns the offset and length of the bytes; null if the append failed. */
  public @Nullable AppendResult result() {
    return result;
  }

  /** Returns why nothing was appended to the row; null if the append succeeded. */
  public @Nullable PgToasterException failure() {
    return failure;
  }

  /**
   * Returns the offset and length of the appended bytes.
   *
   * @throws PgToasterException if the append failed
   */
  public AppendResult orElseThrow() {
    if (failure != null) {
      throw failure;
    }
    return Objects.requireNonNull(result);
  }

  @Override
  public String toString() {
    return failure == null ? String.valueOf(result) : failure.toString();
  }
}
