package io.pgtoaster.benchmarks.question;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks of results: a wrong answer does not count, however fast it is. */
public final class Checks {
  private Checks() {}

  public static void equal(String what, Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      throw new IllegalStateException(
          what + " should be " + shortened(expected) + ", but is " + shortened(found));
    }
  }

  /**
   * Checks the node type in a query's plan, and that it is not parallel. The plan determines the
   * cost, so contenders are comparable only if they have the same plan.
   */
  static void plan(Connection connection, String query, String node) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery("EXPLAIN (COSTS off) " + query)) {
      while (r.next()) {
        plan.append(r.getString(1)).append('\n');
      }
    }
    if (plan.indexOf(node) < 0 || plan.indexOf("Gather") >= 0) {
      throw new IllegalStateException(
          node + " was expected in the plan of " + query + ":\n" + plan);
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= 100 ? text : text.substring(0, 100) + "... of " + text.length();
  }
}
