package io.pgtoaster.cli.catalog;

import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.command.TargetColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.QualifiedName;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import java.sql.SQLException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Changes options of an attached column. */
@Command(
    name = "set-options",
    description = {
      "Change options of an attached column, by their names; 'pgtoaster status' shows them.",
      "They apply to new content, and to stored content when it is compacted: 'pgtoaster compact -t"
          + " TABLE -c COLUMN'."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster set-options recording audio compression=lz4",
      "  pgtoaster set-options person doc row_budget=4000 'keep_inline=[\"/name\", \"/tags\"]'"
    })
public final class SetOptionsCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "Name as written in SQL.")
  String table;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "Name as written in SQL.")
  String column;

  @Parameters(index = "2..*", arity = "1..*", paramLabel = "NAME=VALUE", description = "Options.")
  Map<String, String> changes;

  @Override
  protected int run(Database database) throws SQLException {
    ColumnName name = QualifiedName.column(table, column);
    String toaster = new TargetColumn(table, column).find(database).toaster();
    database.pgToaster().catalog().setOptions(name, ToasterOptions.of(toaster, changes));
    globals().say("changed options of " + name);
    return ExitCode.OK;
  }
}
