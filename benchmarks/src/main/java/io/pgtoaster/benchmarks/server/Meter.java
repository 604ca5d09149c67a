package io.pgtoaster.benchmarks.server;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one iteration costs the server. A benchmark says where the measured part begins and ends,
 * because its profilers would count the making of tables, too.
 */
public final class Meter {
  /** A figure of an iteration; where it belongs to all operations together, it is divided. */
  record Entry(double value, String unit, boolean divided) {}

  /** What was counted before an iteration. */
  private record Begun(Counters counters, ServerCpu.Reading cpu, long trips) {}

  private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();
  private static @Nullable Begun begun;
  private static long start;

  private Meter() {}

  /**
   * The last thing before an iteration.
   *
   * @param database whose costs are counted; null for a server that tells none
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

  /** The first thing after an iteration; returns what the server has counted in it. */
  public static synchronized Counters end(@Nullable Database database) throws SQLException {
    if (database == null) {
      return Counters.UNKNOWN;
    }
    if (begun == null) {
      throw new IllegalStateException("nothing was begun");
    }
    // In this order: what reads the others takes round trips and time of the sessions itself.
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
   * The same where several sessions do a given number of operations: tells how long it took all of
   * them together, by the clock.
   */
  public static synchronized Counters endOfAll(@Nullable Database database) throws SQLException {
    long end = System.nanoTime();
    Counters cost = end(database);
    share("elapsed", (end - start) / 1e3, "us/op");
    return cost;
  }

  /** Adds a figure of the iteration as a whole, such as the size of a table. */
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
