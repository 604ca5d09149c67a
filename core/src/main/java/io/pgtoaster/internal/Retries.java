package io.pgtoaster.internal;

import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Runs whole transactions again that gave way to others. */
final class Retries {
  private static final int MAX_ATTEMPTS = 12;
  private static final long FIRST_PAUSE_NANOS = 2_000_000;

  private Retries() {}

  /** A transaction from its beginning to its end. */
  @FunctionalInterface
  interface Transaction<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  static <T extends @Nullable Object> T run(boolean repeatable, Transaction<T> transaction) {
    for (int attempt = 1; ; attempt++) {
      try {
        return transaction.run();
      } catch (SQLException e) {
        if (!repeatable || attempt == MAX_ATTEMPTS || !SqlErrors.isRetryable(e)) {
          throw SqlErrors.translate(e);
        }
        pause(attempt);
      }
    }
  }

  /** Waits a random time that doubles with each attempt, up to about a second. */
  private static void pause(int attempt) {
    long bound = FIRST_PAUSE_NANOS << Math.min(attempt, 9);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(bound / 2, bound));
  }
}
