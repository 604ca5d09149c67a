package io.pgtoaster.cli.command;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that works on one document. */
public abstract class DocumentCommand extends DatabaseCommand {
  @Mixin DocumentOptions options;

  @Parameters(index = "0", paramLabel = "KEY", description = "The row's key.")
  protected String key;

  @Override
  protected final int run(Database database) throws Exception {
    DocumentColumn documents = options.target().documents(database);
    List<String> row = ColumnCommand.key(ColumnAccess.column(documents), key);
    return run(database, documents, row);
  }

  protected abstract int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception;

  /**
   * Adds a row with only the key if it is missing, and if the user requested it or the table is
   * managed by the command line.
   */
  protected final void addRow(
      boolean create, Database database, DocumentColumn documents, List<String> row)
      throws SQLException {
    if (create || options.target().asDefault(database) != null) {
      DefaultTable.addRow(database, ColumnAccess.column(documents), row);
    }
  }

  /** Returns a failure for a value that is not where it was expected. */
  protected final Failure missing(DocumentPath path, String what) {
    String place = path.isRoot() ? "" : " at " + PrintableText.of(path.toString());
    return new Failure(ExitCode.NOT_FOUND, "the row " + key + " has " + what + place);
  }

  protected final void require(boolean found, DocumentPath path, String what) {
    if (!found) {
      throw missing(path, what);
    }
  }
}
