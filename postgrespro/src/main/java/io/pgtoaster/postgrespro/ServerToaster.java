package io.pgtoaster.postgrespro;

import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A toaster that is built into the server, and the conditions for using it.
 *
 * @param name name with which columns are attached
 * @param serverName its name in {@code pg_catalog.pg_toaster}
 */
record ServerToaster(String name, String serverName) {
  /** The setting that must be on to attach a column. */
  static final String SETTING = "pgtoaster.postgrespro";

  /** SQL condition that is true if there is no logical replication slot. */
  static final String NO_LOGICAL_SLOT =
      "NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots l WHERE l.slot_type = 'logical')";

  private static final String SWITCHED_ON =
      "SELECT pg_catalog.current_setting('" + SETTING + "', true) IN ('on', 'true', 'yes', '1')";

  private static final String HAS_TOASTERS =
      "SELECT pg_catalog.to_regclass('pg_catalog.pg_toaster') IS NOT NULL";

  private static final String HAS_TOASTER =
      "SELECT EXISTS (SELECT FROM pg_catalog.pg_toaster t WHERE t.tsrname = CAST(? AS text))";

  private static final String IS_SET =
      """
      SELECT EXISTS (
        SELECT FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
        JOIN pg_catalog.pg_toaster t ON t.oid = a.atttoaster
        WHERE n.nspname = CAST(? AS text) AND c.relname = CAST(? AS text) AND a.attname = CAST(? AS text) AND t.tsrname = CAST(? AS text))
      """;

  /** Rejects attaching unless the setting is on. */
  void requireSwitch(Connection connection) throws SQLException {
    if (!holds(connection, SWITCHED_ON)) {
      throw new UnsupportedCapabilityException(
          "the toaster \""
              + name
              + "\" is switched off: read in docs/postgrespro.md what it cannot do, then"
              + " ALTER DATABASE ... SET "
              + SETTING
              + " = on, and connect again");
    }
  }

  /** Returns true if the server's catalog has the toaster. */
  boolean isThere(Connection connection) throws SQLException {
    return holds(connection, HAS_TOASTERS) && holds(connection, HAS_TOASTER, serverName);
  }

  /** Rejects a server without the toaster. */
  void requireServer(Connection connection) throws SQLException {
    if (!isThere(connection)) {
      throw new UnsupportedCapabilityException(
          "this server has no toaster "
              + serverName
              + " in pg_catalog.pg_toaster: use Postgres Pro's server with CREATE EXTENSION "
              + serverName
              + ", or attach the column to another toaster");
    }
  }

  /**
   * Rejects an attached column that the server no longer assigns to this toaster.
   *
   * @param connection an open connection
   * @param column attached to this toaster
   * @throws CatalogException if the server does not assign the column to this toaster
   * @throws SQLException if the server reports an error
   */
  void requireSet(Connection connection, AttachedColumn column) throws SQLException {
    if (!isThere(connection)
        || !holds(
            connection, IS_SET, column.schema(), column.table(), column.column(), serverName)) {
      throw new CatalogException(
          "the column is attached to \""
              + name
              + "\", but on this server its toaster is not "
              + serverName
              + ": ALTER TABLE ... SET TOASTER "
              + serverName
              + ", or detach the column");
    }
  }

  /**
   * Rejects writes if there is a logical replication slot, because decoding them would fail.
   *
   * @param connection an open connection
   * @throws UnsupportedCapabilityException if there is a logical replication slot
   * @throws SQLException if the server reports an error
   */
  void requireNoLogicalSlot(Connection connection) throws SQLException {
    if (!holds(connection, "SELECT " + NO_LOGICAL_SLOT)) {
      throw new UnsupportedCapabilityException(
          "the server has a logical replication slot, and logical decoding fails on what the"
              + " toaster \""
              + name
              + "\" writes: drop the slot (pg_replication_slots), or attach the column to another"
              + " toaster; nothing was written");
    }
  }

  /**
   * Returns warnings about the server that concern columns of the toaster.
   *
   * @param connection an open connection
   * @return one sentence or an empty list
   * @throws SQLException if the server reports an error
   */
  List<String> warnings(Connection connection) throws SQLException {
    return holds(connection, "SELECT " + NO_LOGICAL_SLOT)
        ? List.of()
        : List.of(
            "there is a logical replication slot, whose decoding would fail: writes are refused");
  }

  static boolean holds(Connection connection, String query, String... parameters)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        s.setString(i + 1, parameters[i]);
      }
      try (ResultSet r = s.executeQuery()) {
        return r.next() && r.getBoolean(1);
      }
    }
  }
}
