package io.pgtoaster.examples.app.cost;

/**
 * The cost of an operation on the server.
 *
 * @param pages 8,192-byte pages of the column's tables and indexes that it accessed
 * @param walBytes bytes of write-ahead log written while it ran
 * @param micros elapsed time in the application
 */
public record Cost(long pages, long walBytes, long micros) {
  Cost min(Cost other) {
    return new Cost(
        Math.min(pages, other.pages),
        Math.min(walBytes, other.walBytes),
        Math.min(micros, other.micros));
  }
}
