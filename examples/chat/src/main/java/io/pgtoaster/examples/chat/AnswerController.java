package io.pgtoaster.examples.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.blob.FollowTimeoutException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends an answer while it arrives. The id of an event is the offset after its text, so a browser
 * that reconnects receives exactly the text that it missed.
 */
@RestController
final class AnswerController implements DisposableBean {

  private final BlobColumn blobs;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  AnswerController(PgToaster toaster) {
    this.blobs = toaster.blobs("example_chat_answer", "tokens");
  }

  @GetMapping(path = "/api/answers/{id}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter follow(
      @PathVariable long id,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable Long last) {
    blobs.length(id); // responds with 404 if the row does not exist
    SseEmitter emitter = new SseEmitter(0L);
    threads.execute(() -> send(id, last == null ? 0 : last, emitter));
    return emitter;
  }

  private void send(long id, long from, SseEmitter emitter) {
    FollowOptions options =
        FollowOptions.defaults().withFrom(from).withTimeout(Duration.ofSeconds(10));
    long offset = from;
    char[] buffer = new char[4096];
    try (Reader reader = new InputStreamReader(blobs.follow(id, options), UTF_8)) {
      for (int count = read(reader, buffer); count >= 0; count = read(reader, buffer)) {
        // Send an empty text, too: it detects clients that have disconnected.
        String text = new String(buffer, 0, count);
        offset += text.getBytes(UTF_8).length;
        SseEmitter.SseEventBuilder event = SseEmitter.event().id(Long.toString(offset));
        emitter.send(event.data(Map.of("text", text), MediaType.APPLICATION_JSON));
      }
      emitter.send(SseEmitter.event().name("end").data(""));
      emitter.complete();
    } catch (IOException e) {
      // The follower has disconnected, or the answer was deleted. Browsers reconnect.
      emitter.complete();
    } catch (RuntimeException e) {
      emitter.completeWithError(e);
    }
  }

  /** Returns no character if there was none for a while. */
  private static int read(Reader reader, char[] buffer) throws IOException {
    try {
      return reader.read(buffer);
    } catch (FollowTimeoutException e) {
      return 0;
    }
  }

  @Override
  public void destroy() {
    threads.shutdownNow();
  }
}
