package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.ColumnCommand;
import io.pgtoaster.cli.command.ColumnOptions;
import io.pgtoaster.cli.command.Contents;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that works on one blob or document, or on all in a column. */
abstract class EachContentCommand extends DatabaseCommand {
  /**
   * Classes of SQLStates: no connection, unsupported feature, read-only, login refused, no such
   * database or schema, no such object or no privilege, out of resources, server shutdown.
   */
  private static final Set<String> AFFECTING_ALL_ROWS =
      Set.of("08", "0A", "25", "28", "3D", "3F", "42", "53", "57");

  /** Raised by statement_timeout, for example on one large document. */
  private static final String QUERY_CANCELED = "57014";

  @Mixin ColumnOptions options;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "KEY",
      description = "The row's key; without it, every blob or document of the column.")
  @Nullable String key;

  private int count;
  private int failures;

  @Override
  protected final int run(Database database) throws SQLException {
    Contents contents = Contents.of(database, options.target());
    if (key != null) {
      visit(contents, ColumnCommand.key(contents.column(), key));
    } else {
      contents.forEach(row -> visitIfPresent(contents, row));
    }
    globals().say(summary(contents, count, failures));
    return failures == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Visits a row, unless it has been deleted in the meantime. */
  private void visitIfPresent(Contents contents, List<String> row) {
    try {
      visit(contents, row);
    } catch (RowNotFoundException e) {
      count--;
    } catch (PgToasterException e) {
      if (affectsAllRows(e.sqlState())) {
        throw e;
      }
      tell(row, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // Unexpected damage, for example in a row that was not written by the library.
      tell(row, e.toString());
    }
  }

  /**
   * Returns true if the following rows would fail with the same error; otherwise they are still
   * visited.
   */
  private static boolean affectsAllRows(String sqlState) {
    return !sqlState.equals(QUERY_CANCELED)
        && AFFECTING_ALL_ROWS.contains(sqlState.substring(0, 2));
  }

  private void tell(List<String> row, String problem) {
    failures++;
    out().println(PrintableText.of(KeyText.format(row)) + ": " + PrintableText.of(problem));
    out().flush();
  }

  private void visit(Contents contents, List<String> row) {
    count++;
    if (!work(contents, row, PrintableText.of(KeyText.format(row)))) {
      failures++;
    }
    out().flush();
  }

  /** Returns false after it has reported a problem. */
  abstract boolean work(Contents contents, List<String> row, String shownKey);

  abstract String summary(Contents contents, int visited, int withProblems);
}
