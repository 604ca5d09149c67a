package io.pgtoaster.benchmarks.trial;

import io.pgtoaster.benchmarks.server.Counters;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks of results: a wrong answer does not count, however fast it is. */
public final class Checks {
  private Checks() {}

  public static void equal(String what, Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      throw new IllegalStateException(
          what + " should be " + shortened(expected) + ", and is " + shortened(found));
    }
  }

  /** Checks that a mixed workload has changed something. */
  public static void changed(long count) {
    if (count <= 0) {
      throw new IllegalStateException("nothing was changed: the iteration was too short");
    }
  }

  /** Checks that writes were logged, if the server reports its WAL. */
  public static void written(Counters cost) {
    if (cost.known() && cost.wal() <= 0) {
      throw new IllegalStateException("nothing was logged: nothing was written");
    }
  }

  /**
   * Checks the node type in a query's plan. The plan determines the cost, so contenders are only
   * comparable with the same one.
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

  /** Checks the node type in a plan, and that it, like all compared plans, is not parallel. */
  static void plan(String query, String plan, String node) {
    if (!plan.contains(node) || plan.contains("Gather")) {
      throw new IllegalStateException(node + " was expected of " + query + ":\n" + plan);
    }
  }

  /** Fails if one of these tables was scanned rather than read through an index. */
  public static void byKey(List<String> scanned) {
    if (!scanned.isEmpty()) {
      throw new IllegalStateException("scanned rather than read through an index: " + scanned);
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= 100 ? text : text.substring(0, 100) + "... of " + text.length();
  }
}
