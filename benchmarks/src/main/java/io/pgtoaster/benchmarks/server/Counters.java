package io.pgtoaster.benchmarks.server;

/**
 * What the server has counted.
 *
 * @param wal position of the write-ahead log, in bytes
 * @param pages found in shared buffers or read, by the sessions of one database
 */
public record Counters(long wal, long pages) {
  /** Those of a server that tells none. */
  static final Counters UNKNOWN = new Counters(-1, -1);

  /** Whether the server has told them. */
  public boolean known() {
    return !equals(UNKNOWN);
  }

  Counters minus(Counters before) {
    return new Counters(wal - before.wal, pages - before.pages);
  }

  /** This, if anything was done at all. */
  Counters measured() {
    if (pages <= 0) {
      throw new IllegalStateException("the server has read no page: nothing was measured");
    }
    return this;
  }
}
