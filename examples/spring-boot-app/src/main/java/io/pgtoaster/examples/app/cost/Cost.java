package io.pgtoaster.examples.app.cost;

/**
 * What an operation cost the server.
 *
 * @param pages pages of 8 KB of the column's tables and indexes that it looked at
 * @param walBytes bytes of write-ahead log that came while it ran
 * @param micros time it took, seen by the application
 */
public record Cost(long pages, long walBytes, long micros) {
  Cost min(Cost other) {
    return new Cost(
        Math.min(pages, other.pages),
        Math.min(walBytes, other.walBytes),
        Math.min(micros, other.micros));
  }
}
