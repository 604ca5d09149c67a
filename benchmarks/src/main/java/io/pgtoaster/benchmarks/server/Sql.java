package io.pgtoaster.benchmarks.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Statements that are not measured. */
public final class Sql {
  private Sql() {}

  /** Runs a statement. */
  public static void run(Connection connection, String sql) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.setEscapeProcessing(false);
      s.execute(sql);
    }
  }

  /** Returns the single value that a query returns. */
  public static String value(Connection connection, String sql) throws SQLException {
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      if (!r.next()) {
        throw new SQLException("no row from " + sql);
      }
      return String.valueOf(r.getString(1));
    }
  }

  /** Returns the single number that a query returns. */
  public static long number(Connection connection, String sql) throws SQLException {
    return Long.parseLong(value(connection, sql));
  }

  /** Returns the single number that a prepared query returns. */
  public static long number(PreparedStatement query) throws SQLException {
    try (ResultSet r = query.executeQuery()) {
      r.next();
      return r.getLong(1);
    }
  }

  /** Returns whether a condition is true on the server. */
  public static boolean holds(Connection connection, String sql) throws SQLException {
    return "t".equals(value(connection, sql));
  }
}
