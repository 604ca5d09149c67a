package io.pgtoaster.cli.command;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.name.QualifiedName;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The column that a command works on.
 *
 * @param table table as the user wrote it
 * @param column column as the user wrote it
 */
public record TargetColumn(String table, String column) {
  /** Returns the table that the command line manages itself, if this is its column. */
  @Nullable DefaultTable looksLikeDefault() {
    for (DefaultTable candidate : DefaultTable.values()) {
      if (candidate.is(table, column)) {
        return candidate;
      }
    }
    return null;
  }

  /** Returns the same table, but only on the embedded server, where the command may create it. */
  public @Nullable DefaultTable asDefault(Database database) {
    return database.isEmbedded() ? looksLikeDefault() : null;
  }

  public AttachedColumn find(Database database) throws SQLException {
    @Nullable DefaultTable own = asDefault(database);
    if (own != null) {
      own.prepare(database);
    }
    ColumnName name = QualifiedName.column(table, column);
    try (Connection connection = database.dataSource().getConnection()) {
      return ColumnLookup.find(connection, name);
    } catch (ColumnNotFoundException e) {
      if (looksLikeDefault() == null && name.schema() != null) {
        throw e;
      }
      if (looksLikeDefault() == null) {
        throw new Failure(
            ExitCode.NOT_FOUND,
            e.getMessage() + "\nfor a table in another schema, add the schema: -t SCHEMA." + table,
            e);
      }
      throw new Failure(
          ExitCode.NOT_FOUND,
          "this database has no table "
              + table
              + "\nattach a column with 'pgtoaster attach TABLE COLUMN', and name it with --table and --column",
          e);
    }
  }

  public static boolean holdsDocuments(AttachedColumn column) {
    return column.typeName().equals("jsonb");
  }

  public BlobColumn blobs(Database database) throws SQLException {
    AttachedColumn found = find(database);
    if (holdsDocuments(found)) {
      throw new Failure(
          ExitCode.REFUSED,
          found.describe() + " contains documents\nuse the commands of 'pgtoaster json'");
    }
    return database.pgToaster().blobs(found.name());
  }

  public DocumentColumn documents(Database database) throws SQLException {
    AttachedColumn found = find(database);
    if (!holdsDocuments(found)) {
      throw new Failure(
          ExitCode.REFUSED,
          found.describe()
              + " is of type "
              + found.typeName()
              + ", but documents are of type jsonb");
    }
    return database.pgToaster().documents(found.name());
  }
}
