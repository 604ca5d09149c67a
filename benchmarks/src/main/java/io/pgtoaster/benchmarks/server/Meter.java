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

  private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();
  private static @Nullable Counters begun;
  private static long start;

  private Meter() {}

  /** The last thing before an iteration. */
  public static synchronized void begin(Database database) throws SQLException {
    ENTRIES.clear();
    begun = database.counters();
    start = System.nanoTime();
  }

  /** The first thing after an iteration. */
  public static synchronized void end(Database database) throws SQLException {
    if (begun != null) {
      Counters cost = database.counters().minus(begun);
      ENTRIES.put("wal", new Entry((double) cost.wal(), "B/op", true));
      ENTRIES.put("pages", new Entry((double) cost.pages(), "pages/op", true));
      ENTRIES.put("commits", new Entry((double) cost.commits(), "commits/op", true));
      begun = null;
    }
  }

  /**
   * The same where several sessions do a given number of operations: tells how long it took all of
   * them together, by the clock.
   */
  public static synchronized void endOfAll(Database database) throws SQLException {
    long end = System.nanoTime();
    end(database);
    share("elapsed", (end - start) / 1e3, "us/op");
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
