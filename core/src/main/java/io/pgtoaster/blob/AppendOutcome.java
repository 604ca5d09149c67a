package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.PgToasterException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an append to one row of a batch: a result or a failure.
 *
 * @param result offset and length of the bytes, or null if the append failed
 * @param failure why nothing was appended to the row, or null
 */
public record AppendOutcome(@Nullable AppendResult result, @Nullable PgToasterException failure) {
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
}
