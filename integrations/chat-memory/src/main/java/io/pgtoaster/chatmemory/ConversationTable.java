package io.pgtoaster.chatmemory;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The statements on rows of the table. */
record ConversationTable(RowStatements statements, ColumnName column, DocumentColumn documents) {
  /** The SQLStates of errors that occur if two sessions create a table at the same time. */
  private static final Set<String> CREATED_BY_ANOTHER = Set.of("23505", "42P07", "42710");

  static void create(
      PgToaster toaster, RowStatements statements, ColumnName column, JsonOptions options) {
    String sql =
        "CREATE TABLE IF NOT EXISTS "
            + table(column)
            + " (id text PRIMARY KEY, "
            + Identifiers.quote(column.column())
            + " jsonb)";
    try {
      statements.run(
          connection -> {
            try (Statement statement = connection.createStatement()) {
              statement.execute(sql);
            }
          });
    } catch (SQLException e) {
      if (!CREATED_BY_ANOTHER.contains(e.getSQLState())) {
        throw failure("creating the table", column, e);
      }
    }
    toaster.catalog().attachIfAbsent(column, options);
  }

  List<String> ids() {
    String key = key();
    String sql =
        "SELECT "
            + key
            + " FROM "
            + table(column)
            + " WHERE "
            + Identifiers.quote(column.column())
            + " IS NOT NULL ORDER BY "
            + key;
    List<String> ids = new ArrayList<>();
    try {
      statements.run(
          connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                ids.add(rows.getString(1));
              }
            }
          });
    } catch (SQLException e) {
      throw failure("listing the conversations", column, e);
    }
    return ids;
  }

  void delete(String id) {
    String sql = "DELETE FROM " + table(column) + " WHERE " + key() + " = ?";
    try {
      statements.run(
          connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
              statement.setObject(1, id, Types.OTHER); // the parameter gets the key column's type
              statement.executeUpdate();
            }
          });
    } catch (SQLException e) {
      throw failure("deleting a conversation", column, e);
    }
  }

  private String key() {
    return ColumnAccess.column(documents).key().get(0).quoted();
  }

  private static String table(ColumnName column) {
    String table = Identifiers.quote(column.table());
    return column.schema() == null ? table : Identifiers.quote(column.schema()) + "." + table;
  }

  /** Drops the details of the server's message, because they name keys. */
  private static DatabaseException failure(String what, ColumnName column, SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    SQLException cause = new SQLException(message, e.getSQLState(), e.getErrorCode());
    cause.setStackTrace(e.getStackTrace());
    return new DatabaseException(
        what + " of " + column + " failed (SQLState " + e.getSQLState() + "): " + message, cause);
  }
}
