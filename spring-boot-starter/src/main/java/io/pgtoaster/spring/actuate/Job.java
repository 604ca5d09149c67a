package io.pgtoaster.spring.actuate;

import java.util.Locale;

/** A maintenance job. */
enum Job {
  GC(7308895158489137100L),
  VERIFY(7308895158489137101L),
  COMPACT(7308895158489137102L);

  private final long lockKey;

  Job(long lockKey) {
    this.lockKey = lockKey;
  }

  /**
   * Returns the key of the advisory lock that allows only one of several instances to run the job.
   */
  long lockKey() {
    return lockKey;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
