package io.pgtoaster.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time of the server's sessions, if the server runs on this machine and under Linux.
 *
 * @param connection separate session that is not counted
 * @param local whether the server's processes are on this machine
 */
public record ServerCpu(Connection connection, boolean local) {
  private static final String LOCAL =
      "SELECT coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true)";

  /** Nanoseconds by process. */
  public record Reading(Map<Long, Long> nanos) {}

  /**
   * Opens the reader for a session's server. A container with another address does not count as
   * local.
   */
  static ServerCpu of(Connection connection) throws SQLException {
    boolean linux = Files.exists(Path.of("/proc/self/schedstat"));
    return new ServerCpu(connection, linux && Sql.holds(connection, LOCAL));
  }

  /** Reads the processor time of all sessions except this one. */
  public Reading read() throws SQLException {
    Map<Long, Long> nanos = new HashMap<>();
    if (local) {
      try (Statement s = connection.createStatement();
          ResultSet r =
              s.executeQuery(
                  "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                      + " AND pid <> pg_backend_pid()")) {
        while (r.next()) {
          nanos.put(r.getLong(1), nanosOf(r.getLong(1)));
        }
      }
    }
    return new Reading(nanos);
  }

  /** Puts the calling thread on one processor with all sessions except this one. */
  void beside() throws SQLException {
    if (local) {
      Cores.together(read().nanos().keySet());
    }
  }

  /** Returns the milliseconds since a reading; NaN if the server is elsewhere. */
  public double millisSince(Reading before) throws SQLException {
    if (!local) {
      return Double.NaN;
    }
    long sum = 0;
    for (Map.Entry<Long, Long> now : read().nanos().entrySet()) {
      sum += now.getValue() - before.nanos().getOrDefault(now.getKey(), 0L);
    }
    return sum / 1e6;
  }

  /** Returns the processor time of a process; 0 if it has ended or this is not Linux. */
  static long nanosOf(long pid) {
    try {
      String text = Files.readString(Path.of("/proc", Long.toString(pid), "schedstat"));
      return Long.parseLong(text.substring(0, text.indexOf(' ')));
    } catch (IOException gone) {
      return 0;
    }
  }
}
