package io.pgtoaster.cli.demo;

/**
 * How the file went in and out.
 *
 * @param bytes length of the file
 * @param appendNanos time of the append, with a follower beside it
 * @param followLagMillis from the commit of the last byte until the follower had it
 * @param readNanos time to read it back
 * @param sha256 of the file
 * @param equal whether what was followed and what was read back have the same
 */
public record StreamResult(
    long bytes,
    long appendNanos,
    double followLagMillis,
    long readNanos,
    String sha256,
    boolean equal) {}
