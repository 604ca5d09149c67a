package io.pgtoaster.postgrespro;

import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.ColumnAttach;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** Assigns columns to a toaster of the server, and detaches them. */
final class ServerAttach {
  /** The toaster of a column without an assigned toaster. */
  private static final String SERVER_DEFAULT = "deftoaster";

  /** The option that selects a unique index instead of the primary key. */
  private static final String KEY = "key";

  private static final String COLUMN =
      """
      SELECT CAST(CAST(c.oid AS regclass) AS text), c.relkind, t.typname
      FROM pg_catalog.pg_class c
      LEFT JOIN pg_catalog.pg_attribute a
        ON a.attrelid = c.oid AND a.attname = CAST(? AS text) AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE c.oid = CAST(? AS oid)
      """;

  private final ServerToaster toaster;
  private final String type;
  private final List<String> storage;

  /**
   * Creates an instance for one toaster.
   *
   * @param toaster toaster of the server
   * @param type name of the type that it stores
   * @param storage settings to apply to the column before it is attached, as clauses of {@code
   *     ALTER COLUMN}
   */
  ServerAttach(ServerToaster toaster, String type, List<String> storage) {
    this.toaster = toaster;
    this.type = type;
    this.storage = List.copyOf(storage);
  }

  /**
   * Finds the table of a column.
   *
   * @param connection an open connection
   * @param table oid of the table
   * @param column exact name
   * @return its name for use in SQL
   * @throws ColumnNotFoundException if the column does not fit the toaster
   * @throws SQLException if the server reports an error
   */
  String table(Connection connection, long table, String column) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(COLUMN)) {
      s.setString(1, column);
      s.setLong(2, table);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next() || !"r".equals(r.getString(2)) || !type.equals(r.getString(3))) {
          throw new ColumnNotFoundException(
              "the toaster \""
                  + toaster.name()
                  + "\" needs a column of type "
                  + type
                  + " in a table without partitions, but \""
                  + column
                  + "\" is not such a column");
        }
        return r.getString(1);
      }
    }
  }

  /**
   * Attaches a column: creates the guards and the catalog's row, and then assigns the server's
   * toaster.
   *
   * @param connection in a transaction
   * @param table oid of the table
   * @param column exact name of the column
   * @param options by name, as in the catalog
   * @return number of the store
   * @throws UnsupportedCapabilityException if the server or the toaster does not support it
   * @throws SQLException if the server reports an error
   */
  int attach(Connection connection, long table, String column, Map<String, String> options)
      throws SQLException {
    toaster.requireSwitch(connection);
    toaster.requireServer(connection);
    toaster.requireNoLogicalSlot(connection);
    String name = table(connection, table, column);
    requireKnown(options);
    int store = ColumnAttach.add(connection, table, column, toaster.name(), options);
    for (String clause : storage) {
      run(connection, alter(name, column, clause));
    }
    run(connection, alter(name, column, "SET TOASTER " + toaster.serverName()));
    return store;
  }

  /**
   * Detaches a column, and converts its values to the form of the server's default toaster.
   *
   * @param connection in a transaction
   * @param table oid of the table
   * @param column exact name of the column
   * @param plain SQL expression for a converted value, with %s for the column
   * @throws SQLException if the server reports an error
   */
  void detach(Connection connection, long table, String column, String plain) throws SQLException {
    String name = table(connection, table, column);
    if (toaster.isThere(connection)) {
      String quoted = Identifiers.quote(column);
      run(connection, alter(name, column, "SET TOASTER " + SERVER_DEFAULT));
      run(
          connection,
          ("UPDATE " + name + " SET " + quoted + " = " + plain.formatted(quoted))
              + (" WHERE " + quoted + " IS NOT NULL"));
    }
    ColumnAttach.detach(connection, table, column, false);
  }

  private void requireKnown(Map<String, String> options) {
    for (String option : options.keySet()) {
      if (!option.equals(KEY)) {
        throw new UnsupportedCapabilityException(
            ("the toaster \"" + toaster.name() + "\" has no option \"" + option + "\", only \"")
                + (KEY + "\"; nothing was attached"));
      }
    }
  }

  private static String alter(String table, String column, String clause) {
    return "ALTER TABLE " + table + " ALTER COLUMN " + Identifiers.quote(column) + " " + clause;
  }

  /**
   * Runs a statement without parameters.
   *
   * @param connection in a transaction
   * @param statement SQL statement
   * @throws SQLException if the server reports an error
   */
  static void run(Connection connection, String statement) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.setEscapeProcessing(false);
      s.execute(statement);
    }
  }
}
