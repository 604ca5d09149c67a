package io.pgtoaster.spring.tus;

import java.util.function.LongSupplier;

/** Does something again and again while a body arrives, not more often than it has to. */
final class Pulse {
  private final LongSupplier nanoTime;
  private final long interval;
  private final Runnable work;
  private long last;

  /**
   * Begins now.
   *
   * @param interval nanoseconds between two times at least
   */
  Pulse(LongSupplier nanoTime, long interval, Runnable work) {
    this.nanoTime = nanoTime;
    this.interval = interval;
    this.work = work;
    this.last = nanoTime.getAsLong();
  }

  void beat() {
    long now = nanoTime.getAsLong();
    if (now - last >= interval) {
      last = now;
      work.run();
    }
  }
}
