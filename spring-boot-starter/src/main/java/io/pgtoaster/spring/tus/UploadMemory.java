package io.pgtoaster.spring.tus;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that the bodies of all running requests may use together. Thread-safe. */
final class UploadMemory {
  private final AtomicLong free;

  UploadMemory(long bytes) {
    this.free = new AtomicLong(bytes);
  }

  /**
   * Reserves a share for one request.
   *
   * @param bytes initial size of the share
   * @throws TusException if less memory is free
   */
  Share take(long bytes) {
    Share share = new Share();
    if (!share.add(bytes, 1)) {
      throw new TusException(TusException.BUSY, "too many uploads are running; try again later");
    }
    return share;
  }

  /** The memory that one request has reserved until it is closed. Not thread-safe. */
  final class Share implements AutoCloseable {
    private long held;

    /**
     * Grows the share to a size, if it is smaller. Returns false if that would take more than half
     * of the free memory; the rest is left for new requests.
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
