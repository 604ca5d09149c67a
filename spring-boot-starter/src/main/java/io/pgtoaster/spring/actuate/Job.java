package io.pgtoaster.spring.actuate;

import java.util.Locale;

/** What maintenance does. */
enum Job {
  GC(7308895158489137100L),
  VERIFY(7308895158489137101L),
  COMPACT(7308895158489137102L);

  private final long lockKey;

  Job(long lockKey) {
    this.lockKey = lockKey;
  }

  /** Key of the advisory lock that lets one of several instances run the job. */
  long lockKey() {
    return lockKey;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
