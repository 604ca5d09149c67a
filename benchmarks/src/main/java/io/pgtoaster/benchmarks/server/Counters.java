package io.pgtoaster.benchmarks.server;

/**
 * Counters of the server.
 *
 * @param wal position in the write-ahead log, in bytes
 * @param pages pages found in shared buffers or read, by the sessions of one database
 */
public record Counters(long wal, long pages) {
  /** The counters of a server that does not report any. */
  static final Counters UNKNOWN = new Counters(-1, -1);

  /** Returns whether the server reports counters. */
  public boolean known() {
    return !equals(UNKNOWN);
  }

  Counters minus(Counters before) {
    return new Counters(wal - before.wal, pages - before.pages);
  }

  /** Returns this, or fails if nothing was read. */
  Counters measured() {
    if (pages <= 0) {
      throw new IllegalStateException("the server has read no page: nothing was measured");
    }
    return this;
  }
}
