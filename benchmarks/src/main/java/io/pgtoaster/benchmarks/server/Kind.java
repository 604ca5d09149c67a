package io.pgtoaster.benchmarks.server;

import java.util.Locale;

/** The software installed in a database. */
public enum Kind {
  /** The library's catalog: plain SQL only. */
  PLAIN("chunk tables"),
  /** The catalog and the library's server extension. */
  EXTENSION("extension");

  /** The contender that uses all of the software. */
  public final String contender;

  Kind(String contender) {
    this.contender = contender;
  }

  /** Returns the kind of database that a contender needs. */
  public static Kind of(String contender) {
    return contender.equals(EXTENSION.contender) ? EXTENSION : PLAIN;
  }

  String database() {
    return "pgtoaster_bench_" + name().toLowerCase(Locale.ROOT);
  }
}
