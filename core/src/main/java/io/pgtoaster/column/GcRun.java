package io.pgtoaster.column;

import io.pgtoaster.spi.SqlFunction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A run of gc over the store of one column, as the toaster of the column sees it. */
public interface GcRun {
  /**
   * Returns which store it is about.
   *
   * @return its number
   */
  int store();

  /**
   * Tells whether to list only.
   *
   * @return true if nothing may be removed
   */
  boolean dryRun();

  /**
   * Returns the grace period.
   *
   * @return content younger than this is not garbage, for the row that names it may be still to
   *     come
   */
  Duration grace();

  /**
   * Returns the retry horizon.
   *
   * @return how long writers are remembered after their last append
   */
  Duration tokenHorizon();

  /**
   * Runs a bounded piece of work in a transaction of its own, or as a part of the caller's.
   *
   * @param work what to do
   * @param <R> what it returns
   * @return what the work returned
   */
  <R extends @Nullable Object> R transaction(SqlFunction<R> work);

  /**
   * Runs a step whose failure keeps no other from being done: it is told in the report.
   *
   * @param work transactions and what they found
   */
  void step(Runnable work);

  /**
   * Tells what was found, or unless this run lists only has been removed.
   *
   * @param kind one word
   * @param id of the content, or of what else it is
   * @param bytes that it holds, about
   * @param description for a human reader
   */
  void found(String kind, long id, long bytes, String description);

  /**
   * Tells what looks like garbage and stays.
   *
   * @param kind one word
   * @param id of the content
   * @param bytes that it holds, about
   * @param description for a human reader
   */
  void kept(String kind, long id, long bytes, String description);
}
