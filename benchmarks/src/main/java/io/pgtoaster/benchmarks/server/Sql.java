package io.pgtoaster.benchmarks.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** Statements of contenders, and statements that are not measured. */
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

  /** Returns whether a condition is true on the server. */
  public static boolean holds(Connection connection, String sql) throws SQLException {
    return "t".equals(value(connection, sql));
  }

  /** Returns a statement with its parameters. The driver keeps what it knows about a statement. */
  public static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement s = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      s.setObject(i + 1, parameters[i]);
    }
    return s;
  }

  /** Runs a statement with parameters. */
  public static void execute(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement s = prepare(connection, sql, parameters)) {
      s.execute();
    }
  }

  /** Changes one row. */
  public static void update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement s = prepare(connection, sql, parameters)) {
      if (s.executeUpdate() != 1) {
        throw new SQLException("there is no such row");
      }
    }
  }

  /** Returns the first column of all rows. */
  public static <T> List<T> list(
      Connection connection, Class<T> type, String sql, Object... parameters) throws SQLException {
    List<T> found = new ArrayList<>();
    try (PreparedStatement s = prepare(connection, sql, parameters);
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        found.add(first(r, type));
      }
    }
    return found;
  }

  /** Returns the first column of the only row; null if it is null or there is no row. */
  public static <T> @Nullable T get(
      Connection connection, Class<T> type, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement s = prepare(connection, sql, parameters);
        ResultSet r = s.executeQuery()) {
      return r.next() ? first(r, type) : null;
    }
  }

  /** The driver converts jsonb to a string only by getString. */
  private static <T> T first(ResultSet r, Class<T> type) throws SQLException {
    return type.cast(type == String.class ? r.getString(1) : r.getObject(1, type));
  }

  /**
   * Returns the bytes in the first column of the only row. The driver transfers bytes in binary
   * format only with server-side prepared statements.
   */
  public static byte[] bytes(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement s = prepare(connection, sql, parameters)) {
      s.unwrap(PGStatement.class).setPrepareThreshold(-1);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getBytes(1);
      }
    }
  }
}
