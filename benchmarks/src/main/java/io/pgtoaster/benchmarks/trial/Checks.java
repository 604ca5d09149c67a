package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Counters;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fast wrong answer is none. */
public final class Checks {
  private Checks() {}

  public static void equal(String what, Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      throw new IllegalStateException(
          what + " should be " + shortened(expected) + ", and is " + shortened(found));
    }
  }

  /** A mix of reads and changes has some of each. */
  public static void changed(long count) {
    if (count <= 0) {
      throw new IllegalStateException("nothing was changed: the iteration was too short");
    }
  }

  /** What is written is logged, by a server that tells what it logs. */
  public static void written(Counters cost) {
    if (cost.known() && cost.wal() <= 0) {
      throw new IllegalStateException("nothing was logged: nothing was written");
    }
  }

  /**
   * How a query is run decides its cost: a ratio to one that is run in another way says nothing.
   */
  public static void plan(Connection connection, String query, String node) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery("EXPLAIN (COSTS off) " + query)) {
      while (r.next()) {
        plan.append(r.getString(1)).append('\n');
      }
    }
    plan(query, plan.toString(), node);
  }

  /** The same of a plan that is known; several processes are none of those who are compared. */
  static void plan(String query, String plan, String node) {
    if (!plan.contains(node) || plan.contains("Gather")) {
      throw new IllegalStateException(node + " was expected of " + query + ":\n" + plan);
    }
  }

  /** What finds its rows by an index has scanned none of these tables. */
  public static void byKey(List<String> scanned) {
    if (!scanned.isEmpty()) {
      throw new IllegalStateException("read as a whole, not by an index: " + scanned);
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= 100 ? text : text.substring(0, 100) + "... of " + text.length();
  }
}
