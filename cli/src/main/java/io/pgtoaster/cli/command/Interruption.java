package io.pgtoaster.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * If work is interrupted (Ctrl-C, SIGTERM), lets it stop at a consistent point, and then reports
 * how far it got.
 */
public final class Interruption implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static volatile boolean underWay;

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean completed;

  public Interruption(Runnable farewell) {
    this.hook =
        new Thread(
            () -> {
              underWay = true;
              try {
                if (!stopped.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                  Thread.currentThread().interrupt();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              if (!completed) {
                farewell.run();
              }
            },
            "pgtoaster-interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns true if the guarded work must stop after its current piece. */
  public boolean isRequested() {
    return underWay;
  }

  /** Marks the work as done, so that no message is printed on exit. */
  public void complete() {
    completed = true;
  }

  /** Returns true if the JVM is shutting down. */
  public static boolean isUnderWay() {
    return underWay;
  }

  @Override
  public void close() {
    stopped.countDown();
    if (!underWay) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException jvmIsEnding) {
        underWay = true;
      }
    }
  }
}
