package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.DocumentFacts;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows how a document is stored. */
@Command(
    name = "stat",
    description =
        "Show how a document is stored: its size, and its parts in the row and out of line.")
final class JsonStatCommand extends DocumentCommand {
  @Option(names = "--json", description = "Write JSON.")
  boolean json;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row) {
    DocumentStat stat =
        documents.stat(row).orElseThrow(() -> missing(DocumentPath.root(), "no document"));
    DocumentFacts.print(out(), json, key, ColumnAccess.column(documents), stat);
    return ExitCode.OK;
  }
}
