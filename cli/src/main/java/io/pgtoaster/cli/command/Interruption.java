package io.pgtoaster.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets work that was interrupted (Ctrl-C, SIGTERM) stop where it is whole, and then says where that
 * was.
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

  /** Whether the guarded work is to stop after its present piece. */
  public boolean isRequested() {
    return underWay;
  }

  /** All is done, and nothing is left to say. */
  public void complete() {
    completed = true;
  }

  /** Whether the JVM is ending. */
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
