package io.pgtoaster.column;

import org.jspecify.annotations.Nullable;

/**
 * Is notified of the calls on columns, for metrics and traces; {@code PgToaster.withListener} takes
 * it. All methods are called by the thread that makes the call, so an implementation is to be
 * thread-safe, quick, and must not throw.
 */
@FunctionalInterface
public interface CallListener {
  /**
   * A call begins; also one that is made again because its connection broke.
   *
   * @param operation what it does: {@code blob} or {@code document}, a dot and a verb, such as
   *     {@code blob.append}
   * @return is notified of its end
   */
  Call begin(String operation);

  /** Is notified of the end of one call: one of the methods is called, once. */
  interface Call {
    /**
     * It did what it should.
     *
     * @param column as it was looked up; null if another call has found it changed meanwhile
     * @param bytes of content appended, written or read; 0 for documents and for what moves none
     * @param outcome {@code applied}, {@code already_applied} (a retry that was recognised) or
     *     {@code conflict} of an append or of a change under a condition; {@code done} or {@code
     *     nothing} (there was nothing at the path, or in the column) of all others
     */
    void end(@Nullable AttachedColumn column, long bytes, String outcome);

    /**
     * It failed.
     *
     * @param column as it was looked up; null if that failed
     * @param failure that the caller gets
     */
    void fail(@Nullable AttachedColumn column, Throwable failure);
  }
}
