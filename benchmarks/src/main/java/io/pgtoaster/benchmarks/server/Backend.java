package io.pgtoaster.benchmarks.server;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The statistics of one session on a server of version 18 or later, without other sessions' pages
 * and WAL. The session must be idle and in autocommit mode when they are read.
 */
public final class Backend {
  private static final String COUNTERS =
      """
      SELECT io.pages, wal.wal_bytes, wal.wal_records
      FROM pg_stat_get_backend_wal(?) wal,
        (SELECT CAST(sum(hits + read_bytes / 8192) AS bigint) AS pages
         FROM pg_stat_get_backend_io(?) WHERE object LIKE '%relation') io
      """;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Connection observer;
  private final Connection session;
  private final int pid;

  Backend(Connection observer, Connection session) throws SQLException {
    this.observer = observer;
    this.session = session;
    this.pid = Math.toIntExact(Sql.number(session, "SELECT pg_backend_pid()"));
  }

  /** Work to measure. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  /**
   * The cost of some work.
   *
   * @param trips round trips for which the client waited
   * @param pages pages found in shared buffers or read
   * @param wal bytes of WAL
   * @param records records of WAL
   * @param allocated bytes allocated by all threads of this process
   * @param nanos processor time of the session; 0 if this is not Linux
   */
  public record Cost(long trips, long pages, long wal, long records, long allocated, long nanos) {}

  /** Puts the calling thread on the same processor as the session. Only this thread may measure. */
  public void beside() {
    together(List.of(Integer.toString(pid)));
  }

  /** Runs work in the session and returns its cost. */
  public Cost of(Work work) throws Exception {
    long[] before = counters();
    long nanos = nanos();
    long trips = RoundTrips.count();
    long allocated = allocated();
    work.run();
    allocated = allocated() - allocated;
    trips = RoundTrips.count() - trips;
    nanos = nanos() - nanos;
    long[] after = counters();
    return new Cost(
        trips, after[0] - before[0], after[1] - before[1], after[2] - before[2], allocated, nanos);
  }

  /** Runs a query several times and returns the processor time of the session, in ns. */
  public long timeOf(String query, int times) throws SQLException {
    long nanos = nanos();
    for (int i = 0; i < times; i++) {
      Sql.value(session, query);
    }
    return nanos() - nanos;
  }

  /** Bytes allocated by all threads, because streams read ahead in other threads. */
  private static long allocated() {
    return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }

  /** Returns the processor time of the session; 0 if this is not Linux. */
  private long nanos() {
    try {
      String text = Files.readString(Path.of("/proc", Integer.toString(pid), "schedstat"));
      return Long.parseLong(text.substring(0, text.indexOf(' ')));
    } catch (IOException e) {
      return 0;
    }
  }

  private long[] counters() throws SQLException {
    Sql.value(session, "SELECT pg_stat_force_next_flush()");
    try (PreparedStatement s = Sql.prepare(observer, COUNTERS, pid, pid);
        ResultSet r = s.executeQuery()) {
      r.next();
      return new long[] {r.getLong(1), r.getLong(2), r.getLong(3)};
    }
  }

  /**
   * Puts sessions and the calling thread on the last processor of this process, on Linux. Otherwise
   * a round trip takes 25 microseconds in one run and 90 in another, because an idle processor must
   * sometimes be woken up, and the session's processor time doubles.
   */
  static void together(List<String> sessions) {
    int last = Runtime.getRuntime().availableProcessors() - 1;
    Path self = Path.of("/proc/thread-self");
    if (last == 0 || sessions.isEmpty() || !Files.exists(self)) {
      return;
    }
    try {
      List<String> all = new ArrayList<>(sessions);
      // The link's target ends with the number of the calling thread.
      all.add(String.valueOf(Files.readSymbolicLink(self).getFileName()));
      for (String process : all) {
        new ProcessBuilder("taskset", "-cp", Integer.toString(last), process)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
      }
    } catch (IOException e) {
      // Without taskset, the times vary more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
