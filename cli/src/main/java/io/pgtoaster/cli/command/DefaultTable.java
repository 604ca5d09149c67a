package io.pgtoaster.cli.command;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;

/**
 * The tables that the command line creates for users without a table: a name, and its content or
 * document.
 */
public enum DefaultTable {
  BLOBS(DefaultTable.FILES, DefaultTable.CONTENT, "bigint"),
  DOCUMENTS(DefaultTable.DOCUMENT_TABLE, DefaultTable.DOC, "jsonb");

  static final String FILES = "pgtoaster_files";
  static final String CONTENT = "content";
  static final String DOCUMENT_TABLE = "pgtoaster_documents";
  static final String DOC = "doc";

  /** Key of the lock that allows only one session at a time to create a table. */
  private static final long LOCK = 5_209_347_716_014_220_551L;

  private final String table;
  private final String column;
  private final String type;

  DefaultTable(String table, String column, String type) {
    this.table = table;
    this.column = column;
    this.type = type;
  }

  boolean is(String otherTable, String otherColumn) {
    return table.equals(otherTable) && column.equals(otherColumn);
  }

  /** Installs the catalog, creates the table and attaches its column, unless already done. */
  void prepare(Database database) {
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
                  + table
                  + " (name text PRIMARY KEY, "
                  + column
                  + " "
                  + type
                  + ")");
          catalog.attach(
              ColumnName.of("public", table, column),
              this == BLOBS ? BlobOptions.defaults() : JsonOptions.defaults());
        }
        connection.commit();
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new Failure(
          ExitCode.FAILED,
          "failed while creating the table " + table + "; run the command again: " + e.getMessage(),
          e);
    }
  }

  private boolean isReady(Connection connection) throws SQLException {
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
                  + table
                  + "' AND schema_name = 'public' AND column_name = '"
                  + column
                  + "'")) {
        return r.next();
      }
    }
  }

  /** Adds a row with only the key, unless it exists. */
  public static void addRow(Database database, AttachedColumn column, List<String> key)
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

  /** Removes a row that no longer has content. */
  public void removeEmptyRow(Database database, String name) throws SQLException {
    execute(
        database,
        "DELETE FROM public." + table + " WHERE name = CAST(? AS text) AND " + column + " IS NULL",
        List.of(name));
  }

  private static void execute(Database database, String sql, List<String> key) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement s = connection.prepareStatement(sql)) {
      for (int i = 0; i < key.size(); i++) {
        s.setObject(i + 1, key.get(i), Types.OTHER);
      }
      s.executeUpdate();
    }
  }
}
