package io.pgtoaster.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A run of gc over the store of one column, for the toaster of the column. */
public interface GcRun {
  /** Work that runs in a transaction. */
  @FunctionalInterface
  interface Work<R extends @Nullable Object> {
    /** Runs the work. */
    R run(Connection connection) throws SQLException;
  }

  /** Returns the number of the store. */
  int store();

  /** Returns whether the run only lists garbage and removes nothing. */
  boolean dryRun();

  /**
   * Returns the minimum age of garbage. The row that references younger content may not be
   * committed yet.
   */
  Duration grace();

  /** Returns how long writers are remembered after their last append. */
  Duration tokenHorizon();

  /** Runs a bounded piece of work in its own transaction, or as part of the caller's. */
  <R extends @Nullable Object> R transaction(Work<R> work);

  /**
   * Runs one step: transactions, and reports of what they found. If it fails, the report includes
   * the failure and other steps still run.
   */
  void step(Runnable work);

  /**
   * Reports garbage that was found and, unless this run only lists, removed.
   *
   * @param kind one word
   * @param id of the content, or of the other object that was found
   * @param bytes approximate size
   * @param description for a human reader
   */
  void found(String kind, long id, long bytes, String description);

  /**
   * Reports content that looks like garbage and is kept.
   *
   * @param kind one word
   * @param id of the content
   * @param bytes approximate size
   * @param description for a human reader
   */
  void kept(String kind, long id, long bytes, String description);
}
