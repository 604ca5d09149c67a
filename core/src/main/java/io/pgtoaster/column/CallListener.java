package io.pgtoaster.column;

import org.jspecify.annotations.Nullable;

/**
 * Receives notifications about calls on columns, for metrics and traces. Pass it to {@code
 * PgToaster.withListener}. All methods run in the thread that makes the call. An implementation
 * must be thread-safe and quick, and must not throw exceptions.
 */
@FunctionalInterface
public interface CallListener {
  /**
   * Called when a call begins, or is repeated because its connection broke.
   *
   * @param operation {@code blob} or {@code document}, a dot and a verb, such as {@code
   *     blob.append}
   * @return receives the end of the call
   */
  Call begin(String operation);

  /** Receives the end of one call. Exactly one of the methods is called, once. */
  interface Call {
    /**
     * Called when the call has succeeded.
     *
     * @param column as it was looked up; null if another call has meanwhile found that the column
     *     changed
     * @param bytes of content appended, written or read; 0 for documents and for calls that move no
     *     content
     * @param outcome {@code applied} or {@code repeated} (a retry that was recognised) for an
     *     append; {@code conflict} for a conditional change that was not made; {@code done} or
     *     {@code nothing} (there was nothing at the path, or in the column) for all others
     */
    void end(@Nullable ColumnName column, long bytes, String outcome);

    /**
     * Called when the call has failed.
     *
     * @param column as it was looked up; null if that failed
     * @param failure the exception that the caller receives
     */
    void fail(@Nullable ColumnName column, Throwable failure);
  }
}
