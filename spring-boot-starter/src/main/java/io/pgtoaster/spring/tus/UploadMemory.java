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
    if (!share.growTo(bytes)) {
      throw new TusException(TusException.BUSY, "too many uploads are running; try again later");
    }
    return share;
  }

  /** What one request holds until it is closed. For one thread. */
  final class Share implements AutoCloseable {
    private long held;

    /** Makes the share larger, if it is smaller; false if there is not so much left. */
    boolean growTo(long bytes) {
      long more = Math.max(0, bytes - held);
      if (free.addAndGet(-more) < 0) {
        free.addAndGet(more);
        return false;
      }
      held += more;
      return true;
    }

    @Override
    public void close() {
      free.addAndGet(held);
      held = 0;
    }
  }
}
