package io.pgtoaster.internal;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides how often one call sends its statements. {@code ColumnAccess} repeats a call once more if
 * its column has changed.
 */
public final class Attempts {
  /** After a conflict with another transaction, which the server has aborted: see SqlErrors. */
  private static final int MAX_AFTER_CONFLICTS = 12;

  /** After a lost connection (SQLState 08 or 57P), if the server recognises repeated calls. */
  private static final int MAX_AFTER_LOSSES = 7;

  private static final long CONFLICT_PAUSE_NANOS = 2_000_000;
  private static final long LOSS_PAUSE_NANOS = 25_000_000;

  private final boolean repeatable;
  private final boolean recognized;
  private int conflicts;
  private int losses;
  private @Nullable OutcomeUnknownException unknown;

  /**
   * Starts with the first attempt.
   *
   * @param repeatable whether the call may run again from the start; false if it consumes a stream
   */
  public Attempts(boolean repeatable) {
    this(repeatable, false);
  }

  /**
   * Starts with the first attempt.
   *
   * @param recognized whether the server recognises a call that is sent again, so that it may be
   *     sent again even if it may have been committed
   */
  public Attempts(boolean repeatable, boolean recognized) {
    this.repeatable = repeatable;
    this.recognized = recognized;
  }

  /** Returns whether the call may run again from the start. */
  public boolean repeatable() {
    return repeatable;
  }

  /** Returns whether an earlier attempt may have been committed. */
  public boolean mayBeCommitted() {
    return unknown != null;
  }

  /**
   * Returns after a pause if a transaction should run again; otherwise throws the failure.
   *
   * @param own whether the transaction was the call's own
   */
  void failed(SQLException e, boolean own) {
    conflicts++;
    if (!own || !repeatable || conflicts == MAX_AFTER_CONFLICTS || !SqlErrors.isRetryable(e)) {
      throw SqlErrors.translate(e);
    }
    // Pause for a random time, whose maximum doubles with each attempt, up to about a second.
    long bound = CONFLICT_PAUSE_NANOS << Math.min(conflicts, 9);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(bound / 2, bound));
  }

  /** Returns after a pause if a call should run again; otherwise throws the failure. */
  public void failed(PgToasterException e) {
    boolean lost =
        (e instanceof OutcomeUnknownException || e instanceof ConnectionLostException)
            && e.getCause() instanceof SQLException;
    if (lost && unknown == null && e instanceof OutcomeUnknownException first) {
      unknown = first;
    }
    losses++;
    if (lost
        && recognized
        && losses < MAX_AFTER_LOSSES
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOSS_PAUSE_NANOS << losses);
      return;
    }
    if (lost && unknown != null && unknown != e) {
      // The outcome of that attempt remains unknown, whatever happened to later attempts.
      unknown.addSuppressed(e);
      throw unknown;
    }
    throw e;
  }
}
