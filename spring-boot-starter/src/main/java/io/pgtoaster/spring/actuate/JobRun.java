package io.pgtoaster.spring.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job.
 *
 * @param outcome done; busy if a job is running here or another instance runs it; failed,
 *     completely or for some rows
 * @param startedAt start time
 * @param millis duration in milliseconds
 * @param visited number of rows visited; for gc, number of items found
 * @param changed number of rows rewritten or items removed
 * @param bytes approximate number of bytes that gc found or removed
 * @param complete whether the run reached the end of all columns; otherwise the next run continues
 * @param left number of orphans that gc left, or of damaged items that verify found; null if
 *     unknown
 * @param problems the first hundred problems: damage that verify found, and rows that could not be
 *     visited; or the reason for the failure
 */
public record JobRun(
    String outcome,
    Instant startedAt,
    long millis,
    long visited,
    long changed,
    long bytes,
    boolean complete,
    @Nullable Long left,
    List<String> problems) {
  static final String DONE = "done";
  static final String BUSY = "busy";
  static final String FAILED = "failed";

  static JobRun busy(Instant startedAt) {
    return new JobRun(BUSY, startedAt, 0, 0, 0, 0, false, null, List.of());
  }

  static JobRun failed(Instant startedAt, Exception why) {
    return new JobRun(
        FAILED, startedAt, millis(startedAt), 0, 0, 0, false, null, List.of(why(why)));
  }

  static long millis(Instant startedAt) {
    return Duration.between(startedAt, Instant.now()).toMillis();
  }

  /** Returns a readable message for an exception, without parts that may quote a row. */
  static String why(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message.lines().findFirst().orElse("");
  }
}
