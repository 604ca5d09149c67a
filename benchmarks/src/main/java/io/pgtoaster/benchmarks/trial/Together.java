package io.pgtoaster.benchmarks.trial;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs a step that all threads of a trial must wait for once, in the last thread that arrives. If
 * JMH does this for a state shared by all threads, the others sleep for a second at a time.
 */
public final class Together {
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

  public interface Step {
    void run() throws Exception;
  }

  private int waiting;
  private int turn;
  private @Nullable Exception failure;

  /**
   * Returns after the step has run.
   *
   * @param threads number of threads that call this
   * @param step step to run, the same for all
   * @throws Exception in each thread if the step fails; also if a thread does not arrive for
   *     minutes
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
          throw new TimeoutException("another thread has failed, or is minutes late");
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
