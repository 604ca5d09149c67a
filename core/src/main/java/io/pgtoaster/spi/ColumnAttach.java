package io.pgtoaster.spi;

import io.pgtoaster.internal.Query;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * Calls the catalog's functions that attach and detach columns, for the toasters that the catalog
 * knows. All calls need a transaction; tables are named by their oid, columns by their exact name.
 */
public final class ColumnAttach {
  private static final String COLUMN_AND_OPTIONS =
      "(CAST(CAST(? AS oid) AS regclass), CAST(? AS name), CAST(? AS text),"
          + " pg_catalog.jsonb_object(CAST(? AS text[])))";

  private static final String SET_OPTIONS =
      "SELECT pgtoaster.set_options(CAST(CAST(? AS oid) AS regclass), CAST(? AS name),"
          + " pg_catalog.jsonb_object(CAST(? AS text[])))";

  private static final String DETACH =
      "SELECT pgtoaster.detach(CAST(CAST(? AS oid) AS regclass), CAST(? AS name), ?)";

  private ColumnAttach() {}

  /**
   * Attaches a column.
   *
   * @param toaster name of a toaster that the catalog knows
   * @param options by name, as in the catalog
   * @return number of the store
   */
  public static int attach(
      Connection connection, long table, String column, String toaster, Map<String, String> options)
      throws SQLException {
    return call("pgtoaster.attach", connection, table, column, toaster, options);
  }

  /**
   * Attaches a column to a toaster that the catalog knows. If the column is already attached to the
   * given toaster, only returns its store; in this case it may be any toaster.
   *
   * @param options by name, as in the catalog
   * @return number of the store
   * @throws SQLException if the server reports an error; also if the column is attached to another
   *     toaster
   */
  public static int attachIfAbsent(
      Connection connection, long table, String column, String toaster, Map<String, String> options)
      throws SQLException {
    return call("pgtoaster.attach_if_absent", connection, table, column, toaster, options);
  }

  /** Prevents other sessions from attaching columns of a table until the transaction ends. */
  public static void lock(Connection connection, long table) throws SQLException {
    String name =
        Query.one(
            connection,
            "SELECT CAST(CAST(CAST(? AS oid) AS regclass) AS text)",
            r -> r.getString(1),
            table);
    try (Statement s = connection.createStatement()) {
      s.execute("LOCK TABLE " + name + " IN ACCESS EXCLUSIVE MODE");
    }
  }

  /** Changes options of an attached column, which are named as in the catalog. */
  public static void setOptions(
      Connection connection, long table, String column, Map<String, String> changes)
      throws SQLException {
    Query.call(connection, SET_OPTIONS, table, column, Query.pairs(changes));
  }

  /**
   * Adds a column to the catalog for a toaster that the catalog does not know, and locks its table.
   * The toaster must already have checked the column and the options. It creates everything else
   * that it needs.
   *
   * @param options by name; {@code key} names a unique index to use instead of the primary key
   * @return number of the store
   */
  public static int add(
      Connection connection, long table, String column, String toaster, Map<String, String> options)
      throws SQLException {
    return call("pgtoaster.add_column", connection, table, column, toaster, options);
  }

  private static int call(
      String function,
      Connection connection,
      long table,
      String column,
      String toaster,
      Map<String, String> options)
      throws SQLException {
    return Query.one(
        connection,
        "SELECT " + function + COLUMN_AND_OPTIONS,
        r -> r.getInt(1),
        table,
        column,
        toaster,
        Query.pairs(options));
  }

  /**
   * Detaches a column: drops its store and keeps the column.
   *
   * @param dropContent whether to drop content to which rows still refer; if false, such content
   *     causes an error
   */
  public static void detach(Connection connection, long table, String column, boolean dropContent)
      throws SQLException {
    Query.call(connection, DETACH, table, column, dropContent);
  }
}
