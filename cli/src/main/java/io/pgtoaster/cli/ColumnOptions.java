package io.pgtoaster.cli;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.name.QualifiedName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which column a command works on. */
final class ColumnOptions {
  @Option(
      names = {"-t", "--table"},
      paramLabel = "TABLE",
      defaultValue = DefaultTable.NAME,
      description =
          "The table, as SQL writes it: recording, media.recording, '\"We.ird\".\"Name\"'. Default:"
              + " ${DEFAULT-VALUE}, which the embedded server gets by itself.")
  String table;

  @Option(
      names = {"-c", "--column"},
      paramLabel = "COLUMN",
      defaultValue = DefaultTable.COLUMN,
      description = "The attached column. Default: ${DEFAULT-VALUE}.")
  String column;

  /** Whether the table is the one that the command line looks after by itself. */
  boolean isDefault(Database database) {
    return database.isEmbedded() && isDefault();
  }

  private boolean isDefault() {
    return table.equals(DefaultTable.NAME) && column.equals(DefaultTable.COLUMN);
  }

  BlobColumn open(Database database) {
    if (isDefault(database)) {
      DefaultTable.prepare(database);
    }
    QualifiedName name = QualifiedName.table(table);
    String columnName = QualifiedName.column(column);
    PgToaster toaster = PgToaster.create(database.dataSource());
    @Nullable String schema = name.schema();
    BlobColumn blobs =
        schema == null
            ? toaster.blobs(name.name(), columnName)
            : toaster.blobs(schema, name.name(), columnName);
    DefaultTable.explainAbsence(blobs, isDefault());
    return blobs;
  }
}
