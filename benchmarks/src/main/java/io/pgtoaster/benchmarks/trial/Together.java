package io.pgtoaster.benchmarks.trial;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What all threads of a trial have to wait for is done once, by the last that comes. Where JMH does
 * it, because a state belongs to all threads, the others sleep for a second at a time.
 */
public final class Together {
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Something that is done once. */
  public interface Step {
    void run() throws Exception;
  }

  private int waiting;
  private int turn;
  private @Nullable Exception failure;

  /**
   * Returns when the step has been done.
   *
   * @param threads that call this
   * @param step what to do, the same for all
   * @throws Exception if it failed, for each thread; if a thread does not come for minutes
   */
  public synchronized void once(int threads, Step step) throws Exception {
    waiting++;
    if (waiting == threads) {
      try {
        failure = null;
        step.run();
      } catch (Exception e) {
        failure = e;
      }
      waiting = 0;
      turn++;
      notifyAll();
    } else {
      int mine = turn;
      long start = System.nanoTime();
      while (mine == turn) {
        TimeUnit.NANOSECONDS.timedWait(this, MOST_NANOS);
        if (mine == turn && System.nanoTime() - start > MOST_NANOS) {
          throw new TimeoutException("another thread has failed, or is slower by minutes");
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
