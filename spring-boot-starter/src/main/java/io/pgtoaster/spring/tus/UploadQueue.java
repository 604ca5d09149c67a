package io.pgtoaster.spring.tus;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes a request wait briefly for an earlier request on the same upload, whose connection has
 * often just broken.
 *
 * <p>Bytes that the earlier request receives during the wait are kept. If it receives nothing
 * during that time, its connection is probably broken and the server has not noticed. The new
 * request then replaces it, and the earlier request can no longer append. Correctness does not
 * depend on this. A request that does not wait, for example because it runs on another server,
 * continues, and the expected offset decides.
 */
final class UploadQueue {
  private static final long PATIENCE_MILLIS = 2000;

  /** One request's turn on an upload. */
  static final class Turn {
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicLong moves = new AtomicLong();
    private volatile boolean overtaken;

    /**
     * Records that bytes arrived.
     *
     * @throws TusException if another request has taken over the upload
     */
    void move() {
      if (overtaken) {
        throw new TusException(409, "another request has taken over the upload");
      }
      moves.incrementAndGet();
    }

    /** Returns how often bytes arrived. */
    long moves() {
      return moves.get();
    }
  }

  /** Waits for another request to end. */
  @FunctionalInterface
  interface Patience {
    /** Returns true if the other request ended before the wait timed out. */
    boolean await(CountDownLatch end) throws InterruptedException;
  }

  private final ConcurrentMap<UUID, Turn> running = new ConcurrentHashMap<>();
  private final Patience patience;

  UploadQueue() {
    this(end -> end.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
  }

  UploadQueue(Patience patience) {
    this.patience = patience;
  }

  /**
   * Waits for the running request, then runs some work as the current turn.
   *
   * @param permit see {@link #await}
   */
  long take(UUID upload, Runnable permit, ToLongFunction<Turn> work) {
    await(upload, permit);
    Turn turn = new Turn();
    running.put(upload, turn);
    try {
      return work.applyAsLong(turn);
    } finally {
      running.remove(upload, turn);
      turn.end.countDown();
    }
  }

  /**
   * Waits for a limited time for the request that is running on an upload, if there is one.
   *
   * @param permit throws an exception if the caller must not end another request
   */
  void await(UUID upload, Runnable permit) {
    @Nullable Turn before = running.get(upload);
    if (before == null) {
      return;
    }
    permit.run();
    long moves = before.moves();
    try {
      if (!patience.await(before.end) && before.moves() == moves) {
        before.overtaken = true;
        running.remove(upload, before);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
