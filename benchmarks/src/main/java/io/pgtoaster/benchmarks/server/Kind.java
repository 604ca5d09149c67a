package io.pgtoaster.benchmarks.server;

import java.util.Locale;

/** The software installed in a database. */
public enum Kind {
  /** The library's catalog: plain SQL only. */
  PLAIN,
  /** The catalog and the library's server extension. */
  EXTENSION;

  String database() {
    return "pgtoaster_bench_" + name().toLowerCase(Locale.ROOT);
  }
}
