package io.pgtoaster.blob;

import io.pgtoaster.error.OffsetConflictException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Daemon threads in which streams prefetch windows and commit pieces. */
final class Background {
  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> {
            Thread thread = new Thread(work, "pgtoaster-stream");
            thread.setDaemon(true);
            thread.setContextClassLoader(Background.class.getClassLoader());
            return thread;
          });

  private Background() {}

  static <T> Future<T> start(Callable<T> work) {
    return THREADS.submit(work);
  }

  /** Waits for the result; an interrupt does not stop the work. */
  static <T> T await(Future<T> work) throws IOException {
    try {
      return work.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      throw asIo(e.getCause());
    }
  }

  /**
   * Returns the exception that a stream throws for a failed call. A conflict has the same type in a
   * stream as in a call, so it is thrown as it is.
   */
  static IOException asIo(@Nullable Throwable t) {
    if (t instanceof IOException io) {
      return io;
    }
    if (t instanceof OffsetConflictException conflict) {
      throw conflict;
    }
    if (t instanceof Error error) {
      throw error;
    }
    return new IOException(t == null ? "failed" : t.getMessage(), t);
  }
}
