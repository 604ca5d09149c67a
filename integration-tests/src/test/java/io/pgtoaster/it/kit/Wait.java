package io.pgtoaster.it.kit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Runs other threads and waits for them, always with a deadline. */
public final class Wait {
  /** This is longer than any successful call takes, even on a busy machine. */
  public static final Duration DEADLINE = Duration.ofMinutes(2);

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          r -> {
            Thread thread = new Thread(r, "test-client");
            thread.setDaemon(true);
            return thread;
          });

  private Wait() {}

  public static <T> Future<T> start(Callable<T> work) {
    return THREADS.submit(work);
  }

  /** The work of one of several threads. */
  @FunctionalInterface
  public interface Work {
    void run(int thread) throws Exception;
  }

  /** Runs work in several threads, numbered from 0, and waits for all of them. */
  public static void inThreads(int count, Work work) throws Exception {
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int thread = i;
      all.add(
          start(
              () -> {
                work.run(thread);
                return thread;
              }));
    }
    for (Future<Integer> one : all) {
      get(one);
    }
  }

  /** Starts work in another thread without waiting for it. */
  static void background(Callable<?> work) {
    THREADS.execute(
        () -> {
          try {
            work.call();
          } catch (Exception e) {
            if (!(e instanceof IOException)) {
              throw new IllegalStateException(e);
            }
          }
        });
  }

  /** Returns the result of work in another thread, or throws its exception. */
  public static <T> T get(Future<T> future) throws Exception {
    return get(future, DEADLINE);
  }

  public static <T> T get(Future<T> future, Duration deadline) throws Exception {
    try {
      return future.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError("failed in another thread", e.getCause());
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new AssertionError("not done after " + deadline, e);
    }
  }

  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen in " + DEADLINE + ": " + what);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
