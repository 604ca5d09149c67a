package io.pgtoaster.column;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** Calls the catalog's functions that attach and detach columns: for the toasters that it knows. */
public final class ColumnAttach {
  private static final String ATTACH =
      "SELECT pgtoaster.attach(CAST(CAST(? AS oid) AS regclass), CAST(? AS name), CAST(? AS text),"
          + " pg_catalog.jsonb_object(CAST(? AS text[])))";

  private static final String ADD =
      "SELECT pgtoaster.add_column(CAST(CAST(? AS oid) AS regclass), CAST(? AS name), CAST(? AS"
          + " text), pg_catalog.jsonb_object(CAST(? AS text[])))";

  private static final String DETACH =
      "SELECT pgtoaster.detach(CAST(CAST(? AS oid) AS regclass), CAST(? AS name), ?)";

  private ColumnAttach() {}

  /**
   * Attaches a column.
   *
   * @param connection in a transaction
   * @param table oid of the table
   * @param column exact name of the column
   * @param toaster one that the catalog knows
   * @param options by name, as in the catalog
   * @return number of the store
   * @throws SQLException as the driver throws it
   */
  public static int attach(
      Connection connection, long table, String column, String toaster, Map<String, String> options)
      throws SQLException {
    return call(ATTACH, connection, table, column, toaster, options);
  }

  /**
   * Enters a column into the catalog for a toaster that the catalog does not know, and locks its
   * table. The toaster has checked the column and the options, and makes what else it needs.
   *
   * @param connection in a transaction
   * @param table oid of the table
   * @param column exact name of the column
   * @param toaster its name
   * @param options by name; {@code key} names a unique index in place of the primary key
   * @return number of the store
   * @throws SQLException as the driver throws it
   */
  public static int add(
      Connection connection, long table, String column, String toaster, Map<String, String> options)
      throws SQLException {
    return call(ADD, connection, table, column, toaster, options);
  }

  private static int call(
      String sql,
      Connection connection,
      long table,
      String column,
      String toaster,
      Map<String, String> options)
      throws SQLException {
    Object[] pairs = new Object[2 * options.size()];
    int next = 0;
    for (Map.Entry<String, String> option : options.entrySet()) {
      pairs[next++] = option.getKey();
      pairs[next++] = option.getValue();
    }
    Array array = connection.createArrayOf("text", pairs);
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setLong(1, table);
      s.setString(2, column);
      s.setString(3, toaster);
      s.setArray(4, array);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getInt(1);
      }
    } finally {
      array.free();
    }
  }

  /**
   * Detaches a column: its store goes, the column stays.
   *
   * @param connection in a transaction
   * @param table oid of the table
   * @param column exact name of the column
   * @param dropContent whether content that rows still name may go; refused without
   * @throws SQLException as the driver throws it
   */
  public static void detach(Connection connection, long table, String column, boolean dropContent)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(DETACH)) {
      s.setLong(1, table);
      s.setString(2, column);
      s.setBoolean(3, dropContent);
      s.execute();
    }
  }
}
