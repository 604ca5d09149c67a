package io.pgtoaster.embedded;

import java.util.Locale;

/** How a server is stopped; the modes of {@code pg_ctl stop}. */
public enum StopMode {
  /** Waits until every client has gone. */
  SMART,
  /** Rolls back what is open, disconnects the clients and stops cleanly. */
  FAST,
  /** Stops at once, as in a crash; the next start recovers from the write-ahead log. */
  IMMEDIATE;

  String argument() {
    return name().toLowerCase(Locale.ROOT);
  }
}
