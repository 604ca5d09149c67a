package io.pgtoaster.spring.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job.
 *
 * @param job gc, verify or compact
 * @param outcome done, busy (it or another job runs here, or another instance runs it) or failed,
 *     wholly or for some rows
 * @param startedAt when it began
 * @param duration how long it took
 * @param visited rows that were visited; of gc, items that were found
 * @param changed rows that were rewritten, or items that were removed
 * @param bytes that gc found or removed, about
 * @param complete whether it came to the end of all columns; the next run goes on otherwise
 * @param left orphans that gc left, or damages that verify knows of; null if it cannot tell
 * @param problems damage that verify found and rows that could not be visited, the first hundred,
 *     or why it failed
 */
record JobRun(
    String job,
    String outcome,
    Instant startedAt,
    Duration duration,
    long visited,
    long changed,
    long bytes,
    boolean complete,
    @Nullable Long left,
    List<String> problems) {
  static final String DONE = "done";
  static final String BUSY = "busy";
  static final String FAILED = "failed";

  static JobRun busy(Job job, Instant startedAt) {
    return new JobRun(
        job.toString(), BUSY, startedAt, Duration.ZERO, 0, 0, 0, false, null, List.of());
  }

  static JobRun failed(Job job, Instant startedAt, Exception why) {
    return new JobRun(
        job.toString(),
        FAILED,
        startedAt,
        Duration.between(startedAt, Instant.now()),
        0,
        0,
        0,
        false,
        null,
        List.of(why(why)));
  }

  /** What a person can read of an exception, without what may quote a row. */
  static String why(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message.lines().findFirst().orElse("");
  }
}
