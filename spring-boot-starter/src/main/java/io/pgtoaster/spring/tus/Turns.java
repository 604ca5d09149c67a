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
 * Lets a request wait a moment for the one before it on the same upload, whose connection has often
 * just broken: what arrived there then counts. If nothing more arrives there, the server has not
 * noticed that it broke; then it is overtaken, and may not append any more. It is a courtesy: who
 * does not get a turn goes on without, also on another server, and then the expected offset
 * decides.
 */
final class Turns {
  private static final long PATIENCE_MILLIS = 2000;

  /** The turn of one request. */
  static final class Turn {
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicLong moves = new AtomicLong();
    private volatile boolean overtaken;

    /**
     * Tells that something arrived.
     *
     * @throws TusException if another request went on instead
     */
    void move() {
      if (overtaken) {
        throw new TusException(409, "another request went on with the upload");
      }
      moves.incrementAndGet();
    }

    /** How often something arrived. */
    long moves() {
      return moves.get();
    }
  }

  /** How a request waits for the end of another. */
  @FunctionalInterface
  interface Patience {
    /** Returns whether the other ended before this one lost its patience. */
    boolean await(CountDownLatch end) throws InterruptedException;
  }

  private final ConcurrentMap<UUID, Turn> running = new ConcurrentHashMap<>();
  private final Patience patience;

  Turns() {
    this(end -> end.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
  }

  Turns(Patience patience) {
    this.patience = patience;
  }

  /** Waits, and takes the turn for some work. */
  long take(UUID upload, ToLongFunction<Turn> work) {
    await(upload);
    Turn turn = new Turn();
    running.put(upload, turn);
    try {
      return work.applyAsLong(turn);
    } finally {
      running.remove(upload, turn);
      turn.end.countDown();
    }
  }

  /** Waits for the request that is running on an upload, if there is one, not for long. */
  void await(UUID upload) {
    @Nullable Turn before = running.get(upload);
    if (before == null) {
      return;
    }
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
