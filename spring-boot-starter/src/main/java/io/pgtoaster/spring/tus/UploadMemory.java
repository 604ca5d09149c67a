package io.pgtoaster.spring.tus;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that the bodies of all running requests may take together. For any threads. */
final class UploadMemory {
  private final AtomicLong free;

  UploadMemory(long bytes) {
    this.free = new AtomicLong(bytes);
  }

  /**
   * Takes a share for one request.
   *
   * @param bytes that it needs to begin with
   * @throws TusException if there is not so much left
   */
  Share take(long bytes) {
    Share share = new Share();
    if (!share.add(bytes, 1)) {
      throw new TusException(TusException.BUSY, "too many uploads are running; try again later");
    }
    return share;
  }

  /** What one request holds until it is closed. For one thread. */
  final class Share implements AutoCloseable {
    private long held;

    /**
     * Makes the share larger, if it is smaller; false if that would take more than half of what is
     * free: requests that begin need some.
     */
    boolean growTo(long bytes) {
      return add(Math.max(0, bytes - held), 2);
    }

    private boolean add(long bytes, int part) {
      long now = free.get();
      while (bytes <= now / part) {
        if (free.compareAndSet(now, now - bytes)) {
          held += bytes;
          return true;
        }
        now = free.get();
      }
      return false;
    }

    @Override
    public void close() {
      free.addAndGet(held);
      held = 0;
    }
  }
}
