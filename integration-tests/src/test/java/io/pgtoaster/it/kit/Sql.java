package io.pgtoaster.it.kit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Plain SQL, for what a test does behind the library's back. */
public final class Sql {
  private Sql() {}

  /** Runs statements, one after the other. */
  public static void run(Connection connection, String... statements) throws SQLException {
    try (Statement s = connection.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }

  /** The first column of the first row as text; null if it is NULL. */
  public static String string(Connection connection, String sql) throws SQLException {
    List<String> all = strings(connection, sql);
    if (all.isEmpty()) {
      throw new AssertionError("no row: " + sql);
    }
    return all.get(0);
  }

  /** The first column of all rows as text. */
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

  /** The first column of the first row as a number; 0 if it is NULL. */
  public static long number(Connection connection, String sql) throws SQLException {
    String text = string(connection, sql);
    return text == null ? 0 : Long.parseLong(text);
  }

  /** A literal. */
  public static String literal(String text) {
    // With standard_conforming_strings = off, a backslash begins an escape.
    return (text.indexOf('\\') < 0 ? "'" : " E'")
        + text.replace("\\", "\\\\").replace("'", "''")
        + "'";
  }

  /** An identifier. */
  public static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
