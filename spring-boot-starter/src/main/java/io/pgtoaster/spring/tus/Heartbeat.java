package io.pgtoaster.spring.tus;

import java.util.function.LongSupplier;

/** Repeats an action while a body arrives, at most once per interval. */
final class Heartbeat {
  private final LongSupplier nanoTime;
  private final long interval;
  private final Runnable work;
  private long last;

  /**
   * Starts the first interval.
   *
   * @param interval minimum time between two runs, in nanoseconds
   */
  Heartbeat(LongSupplier nanoTime, long interval, Runnable work) {
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
