package io.pgtoaster.benchmarks.server;

/** The software installed in a database. */
public enum Kind {
  /** The library's catalog: plain SQL only. */
  PLAIN,
  /** The catalog and the library's server extension. */
  EXTENSION,
  /** Postgres Pro's toasters, on their own server. */
  POSTGRES_PRO;

  String database() {
    return "pgtoaster_bench_" + name().toLowerCase(java.util.Locale.ROOT);
  }
}
