package io.pgtoaster.benchmarks.server;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server's costs of one iteration. Benchmarks mark the beginning and the end, because JMH's
 * profilers would also count the creation of tables.
 */
public final class Meter {
  /** A figure of an iteration. It is divided by the number of operations if they share it. */
  record Entry(double value, String unit, boolean divided) {}

  /** The counters before an iteration. */
  private record Begun(Counters counters, ServerCpu.Reading cpu, long trips) {}

  private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();
  private static @Nullable Begun begun;
  private static long start;

  private Meter() {}

  /**
   * Starts an iteration: call it last.
   *
   * @param database database whose costs are counted; null for a server without counters
   */
  public static synchronized void begin(@Nullable Database database) throws SQLException {
    ENTRIES.clear();
    begun = null;
    if (database != null) {
      Counters counters = database.counters();
      ServerCpu.Reading cpu = database.cpu().read();
      begun = new Begun(counters, cpu, RoundTrips.count());
    }
    start = System.nanoTime();
  }

  /**
   * Ends an iteration. Call this method first. Returns what the server counted during the
   * iteration.
   */
  public static synchronized Counters end(@Nullable Database database) throws SQLException {
    if (database == null) {
      return Counters.UNKNOWN;
    }
    if (begun == null) {
      throw new IllegalStateException("begin() was not called");
    }
    // Read in this order: later reads use round trips and processor time themselves.
    share("trips", (double) (RoundTrips.count() - begun.trips()), "trips/op");
    double millis = database.cpu().millisSince(begun.cpu());
    if (!Double.isNaN(millis)) {
      share("cpu", 1e3 * millis, "us/op");
    }
    Counters cost = database.counters().minus(begun.counters());
    share("wal", (double) cost.wal(), "B/op");
    share("pages", (double) cost.pages(), "pages/op");
    begun = null;
    return cost.measured();
  }

  /**
   * Ends an iteration in which several sessions perform a given number of operations, and adds the
   * elapsed time of all of them together.
   */
  public static synchronized Counters endOfAll(@Nullable Database database) throws SQLException {
    long end = System.nanoTime();
    Counters cost = end(database);
    share("elapsed", (end - start) / 1e3, "us/op");
    return cost;
  }

  /** Adds a figure of the whole iteration, such as the size of a table. */
  public static synchronized void add(String name, double value, String unit) {
    ENTRIES.put(name, new Entry(value, unit, false));
  }

  /** Adds a figure that all operations of the iteration share. */
  public static synchronized void share(String name, double value, String unit) {
    ENTRIES.put(name, new Entry(value, unit, true));
  }

  static synchronized Map<String, Entry> take() {
    Map<String, Entry> taken = Map.copyOf(ENTRIES);
    ENTRIES.clear();
    begun = null;
    return taken;
  }
}
