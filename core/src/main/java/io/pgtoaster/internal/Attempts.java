package io.pgtoaster.internal;

import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the attempts at one transaction. It is started again if the server aborts it because of a
 * conflict with another transaction.
 */
final class Attempts {
  private static final int MAX_ATTEMPTS = 12;
  private static final long FIRST_PAUSE_NANOS = 2_000_000;

  private final boolean repeatable;
  private int failed;

  /** Starts with the first attempt. There may be others if it is repeatable. */
  Attempts(boolean repeatable) {
    this.repeatable = repeatable;
  }

  /** Returns after a pause if the transaction should run again; otherwise throws the failure. */
  void failed(SQLException e) {
    failed++;
    if (!repeatable || failed == MAX_ATTEMPTS || !SqlErrors.isRetryable(e)) {
      throw SqlErrors.translate(e);
    }
    // Pause for a random time, whose maximum doubles with each attempt, up to about a second.
    long bound = FIRST_PAUSE_NANOS << Math.min(failed, 9);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(bound / 2, bound));
  }
}
