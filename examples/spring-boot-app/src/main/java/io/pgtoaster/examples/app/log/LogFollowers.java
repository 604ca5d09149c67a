package io.pgtoaster.examples.app.log;

import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.blob.FollowTimeoutException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends the lines of the log to followers. The id of an event is the offset after its line, so a
 * browser that reconnects receives exactly the lines that it missed.
 */
@Component
final class LogFollowers implements DisposableBean {
  private static final int MAX_FOLLOWERS = 64;
  private static final int TAIL = 4096;
  private static final Duration QUIET = Duration.ofSeconds(10);

  private final ServiceLog log;
  private final Semaphore free = new Semaphore(MAX_FOLLOWERS);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  LogFollowers(ServiceLog log) {
    this.log = log;
  }

  /** Follows from an offset, or from the last lines if it is negative. */
  SseEmitter follow(long from) {
    if (!free.tryAcquire()) {
      throw new RejectedExecutionException("too many followers");
    }
    try {
      SseEmitter emitter = new SseEmitter(0L);
      threads.execute(
          () -> {
            try {
              send(emitter, from);
            } finally {
              free.release();
            }
          });
      return emitter;
    } catch (RuntimeException e) {
      free.release();
      throw e;
    }
  }

  private void send(SseEmitter emitter, long from) {
    try {
      long length = log.length();
      // An offset beyond the end belongs to an earlier log that no longer exists.
      boolean known = from >= 0 && from <= length;
      Lines lines = new Lines(emitter, known ? from : tail(length));
      FollowOptions options = FollowOptions.defaults().withFrom(lines.read).withTimeout(QUIET);
      try (InputStream in = log.lines().follow(ServiceLog.ROW, options)) {
        while (!lines.copy(in)) {
          // This also detects clients that have disconnected.
          emitter.send(SseEmitter.event().comment("quiet"));
        }
        emitter.complete();
      }
    } catch (IOException e) {
      // The follower has disconnected, or the server cannot be read. Browsers reconnect.
      emitter.complete();
    } catch (RuntimeException e) {
      emitter.completeWithError(e);
    }
  }

  /** Returns the start of a line near the end. */
  private long tail(long length) {
    long start = Math.max(0, length - TAIL);
    if (start == 0) {
      return 0;
    }
    byte[] bytes = log.lines().read(ServiceLog.ROW, start, TAIL);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        return start + i + 1;
      }
    }
    return length;
  }

  /** Sends each line once it is complete. */
  private static final class Lines {
    private final SseEmitter emitter;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[8192];
    private long read;

    Lines(SseEmitter emitter, long from) {
      this.emitter = emitter;
      this.read = from;
    }

    /**
     * Sends new lines. Returns false if there were none for a while, true at the end of the log.
     */
    boolean copy(InputStream in) throws IOException {
      try {
        sendAll(in);
        return true;
      } catch (FollowTimeoutException e) {
        return false;
      }
    }

    private void sendAll(InputStream in) throws IOException {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        for (int i = 0; i < count; i++) {
          read++;
          if (buffer[i] == '\n') {
            emitter.send(
                SseEmitter.event()
                    .id(Long.toString(read))
                    .data(line.toString(StandardCharsets.UTF_8)));
            line.reset();
          } else {
            line.write(buffer[i]);
          }
        }
      }
    }
  }

  @Override
  public void destroy() {
    threads.shutdownNow();
  }
}
