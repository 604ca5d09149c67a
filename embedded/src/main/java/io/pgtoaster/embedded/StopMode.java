package io.pgtoaster.embedded;

import java.util.Locale;

/** How to stop a server; the modes of {@code pg_ctl stop}. */
public enum StopMode {
  /** Waits until all clients have disconnected. */
  SMART,
  /** Rolls back open transactions, disconnects clients and shuts down cleanly. */
  FAST,
  /** Stops immediately, as in a crash; the next start recovers from the write-ahead log. */
  IMMEDIATE;

  String argument() {
    return name().toLowerCase(Locale.ROOT);
  }
}
