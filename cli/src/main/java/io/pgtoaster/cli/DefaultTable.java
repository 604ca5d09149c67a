package io.pgtoaster.cli;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.KeyColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.internal.Identifiers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The table of whoever has none: a name and its content. */
final class DefaultTable {
  static final String NAME = "pgtoaster_files";
  static final String COLUMN = "content";

  /** One session at a time makes the table. */
  private static final long LOCK = 5_209_347_716_014_220_551L;

  private DefaultTable() {}

  /** Installs the catalog, makes the table and attaches its column, where that is not done yet. */
  static void prepare(Database database) {
    try (Connection connection = database.dataSource().getConnection()) {
      if (isReady(connection)) {
        return;
      }
      connection.setAutoCommit(false);
      try (Statement s = connection.createStatement()) {
        s.execute("SELECT pg_catalog.pg_advisory_xact_lock(" + LOCK + ")");
        if (!isReady(connection)) {
          Catalog catalog = PgToaster.on(connection).catalog();
          catalog.install();
          s.execute(
              "CREATE TABLE IF NOT EXISTS public."
                  + NAME
                  + " (name text PRIMARY KEY, "
                  + COLUMN
                  + " bigint)");
          catalog.attach("public", NAME, COLUMN, "appendable", BlobOptions.defaults());
        }
        connection.commit();
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new Failure(
          ExitCode.FAILED, "cannot make the table " + NAME + ": " + e.getMessage(), e);
    }
  }

  private static boolean isReady(Connection connection) throws SQLException {
    try (Statement s = connection.createStatement()) {
      try (ResultSet r =
          s.executeQuery(
              "SELECT pg_catalog.to_regclass('pgtoaster.attached_column') IS NOT NULL")) {
        if (!r.next() || !r.getBoolean(1)) {
          return false;
        }
      }
      try (ResultSet r =
          s.executeQuery(
              "SELECT 1 FROM pgtoaster.attached_column WHERE table_name = '"
                  + NAME
                  + "' AND schema_name = 'public' AND column_name = '"
                  + COLUMN
                  + "'")) {
        return r.next();
      }
    }
  }

  /** Says what to do where the default table is not the user's. */
  static void explainAbsence(BlobColumn blobs, boolean isDefault) {
    try {
      blobs.describe();
    } catch (ColumnNotFoundException e) {
      if (!isDefault) {
        throw e;
      }
      throw new Failure(
          ExitCode.NOT_FOUND,
          "this database has no table "
              + NAME
              + "\nname yours with --table and --column, after 'pgtoaster attach TABLE COLUMN'",
          e);
    }
  }

  /** Adds a row that holds just the key, unless it is there. */
  static void addRow(Database database, AttachedColumn column, List<String> key)
      throws SQLException {
    String names = String.join(", ", column.key().stream().map(KeyColumn::quoted).toList());
    String values = String.join(", ", column.key().stream().map(KeyColumn::parameter).toList());
    execute(
        database,
        "INSERT INTO "
            + column.quotedTable()
            + " ("
            + names
            + ") VALUES ("
            + values
            + ") ON CONFLICT DO NOTHING",
        key);
  }

  /** Removes a row of the default table that has no content any more. */
  static void removeEmptyRow(Database database, String name) throws SQLException {
    execute(
        database,
        "DELETE FROM public."
            + Identifiers.quote(NAME)
            + " WHERE name = CAST(? AS text) AND "
            + COLUMN
            + " IS NULL",
        List.of(name));
  }

  private static void execute(Database database, String sql, List<String> key) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement s = connection.prepareStatement(sql)) {
      new RowKey(key).bind(s, 1);
      s.executeUpdate();
    }
  }
}
