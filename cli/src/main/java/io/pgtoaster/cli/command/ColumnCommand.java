package io.pgtoaster.cli.command;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AttachedColumn;
import java.util.List;
import picocli.CommandLine.Mixin;

/** A command that works on one column of blobs. */
public abstract class ColumnCommand extends DatabaseCommand {
  @Mixin ColumnOptions options;

  @Override
  protected final int run(Database database) throws Exception {
    return run(database, options.target().blobs(database));
  }

  protected abstract int run(Database database, BlobColumn blobs) throws Exception;

  /** Returns true if the table is the default table, which the command line manages itself. */
  protected final boolean isDefault(Database database) {
    return options.target().asDefault(database) != null;
  }

  /** Parses a key into the values of the column's row key. */
  public static List<String> key(BlobColumn blobs, String text) {
    return key(ColumnAccess.column(blobs), text);
  }

  /** Parses a key into the values of the column's row key. */
  public static List<String> key(AttachedColumn column, String text) {
    return KeyText.parse(text, column.key().size());
  }
}
