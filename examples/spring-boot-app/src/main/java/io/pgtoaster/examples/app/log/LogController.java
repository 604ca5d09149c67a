package io.pgtoaster.examples.app.log;

import io.pgtoaster.column.AppendToken;
import io.pgtoaster.examples.app.cost.Comparison;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The log over HTTP. */
@RestController
@RequestMapping("/api/log")
final class LogController {
  private static final int MAX_LINE = 2000;

  private final ServiceLog log;
  private final LogFollowers followers;

  LogController(ServiceLog log, LogFollowers followers) {
    this.log = log;
    this.followers = followers;
  }

  /** The length of the log. */
  record Length(long bytes) {}

  @GetMapping
  Length length() {
    return new Length(log.length());
  }

  /** A client that appends. */
  record Writer(UUID id) {}

  @PostMapping("/writers")
  Writer newWriter() {
    return new Writer(AppendToken.newWriter());
  }

  /**
   * A line to append. A writer sends one line at a time, and sends the same line again if it
   * receives no response.
   *
   * @param text text of the line
   * @param writer writer that sends it
   * @param number number of the line among those of its writer, from 1
   */
  record Line(@Nullable String text, @Nullable UUID writer, long number) {}

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  Comparison append(@RequestBody Line line) {
    if (line.text() == null || line.text().isBlank() || line.text().length() > MAX_LINE) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "A line must have 1 to " + MAX_LINE + " characters.");
    }
    if (line.writer() == null || line.number() < 1) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "A line must have a writer and a number.");
    }
    return log.append(line.text(), new AppendToken(line.writer(), line.number()));
  }

  /**
   * Follows the log.
   *
   * @param lastEventId offset at which a reconnecting browser continues
   * @param from offset at which a new follower starts; the last lines if missing
   */
  @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter follow(
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable Long lastEventId,
      @RequestParam(name = "from", required = false) @Nullable Long from) {
    return followers.follow(lastEventId != null ? lastEventId : from != null ? from : -1);
  }
}
