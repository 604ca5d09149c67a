package io.pgtoaster.column;

import io.pgtoaster.internal.Query;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;

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
    String[] pairs =
        options.entrySet().stream()
            .flatMap(o -> Stream.of(o.getKey(), o.getValue()))
            .toArray(String[]::new);
    Array array = connection.createArrayOf("text", pairs);
    try {
      return Query.read(
          connection,
          sql,
          r -> {
            r.next();
            return r.getInt(1);
          },
          table,
          column,
          toaster,
          array);
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
    boolean unused =
        Query.<Boolean>read(connection, DETACH, ResultSet::next, table, column, dropContent);
  }
}
