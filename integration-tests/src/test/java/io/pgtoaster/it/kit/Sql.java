package io.pgtoaster.it.kit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Plain SQL that tests run without the library. */
public final class Sql {
  private Sql() {}

  /** Runs statements, one after another. */
  public static void run(Connection connection, String... statements) throws SQLException {
    try (Statement s = connection.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }

  /** Returns the first column of the first row as text, or null if it is NULL. */
  public static String string(Connection connection, String sql) throws SQLException {
    List<String> all = strings(connection, sql);
    if (all.isEmpty()) {
      throw new AssertionError("no row: " + sql);
    }
    return all.get(0);
  }

  /** Returns the first column of all rows as text. */
  public static List<String> strings(Connection connection, String sql) throws SQLException {
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      List<String> all = new ArrayList<>();
      while (r.next()) {
        all.add(r.getString(1));
      }
      return all;
    }
  }

  /** Returns the first column of the first row as a number, or 0 if it is NULL. */
  public static long number(Connection connection, String sql) throws SQLException {
    String text = string(connection, sql);
    return text == null ? 0 : Long.parseLong(text);
  }

  /** Returns a literal. */
  public static String literal(String text) {
    // With standard_conforming_strings = off, a backslash starts an escape.
    return (text.indexOf('\\') < 0 ? "'" : " E'")
        + text.replace("\\", "\\\\").replace("'", "''")
        + "'";
  }

  /** Returns an identifier. */
  public static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
