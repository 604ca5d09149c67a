package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.JsonInput;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Inserts into an array or object. */
@Command(
    name = "insert",
    description =
        "Insert a value before an element of an array, or as a new member of an object. Fails if the"
            + " member exists.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster json insert config 'servers[0]' '{\"name\": \"first\"}'",
      "  pgtoaster json insert config 'servers[-1]' '{\"name\": \"last\"}' --after"
    })
final class JsonInsertCommand extends DocumentCommand {
  @Parameters(index = "1", paramLabel = "PATH", description = "The element, or the new member.")
  DocumentPath path;

  @Parameters(index = "2", paramLabel = "VALUE", description = "JSON text, @FILE or -.")
  String value;

  @Option(names = "--after", description = "Insert after the element.")
  boolean after;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    JsonNode given = JsonInput.read(value);
    DocumentValue place = documents.at(row, path);
    if (after) {
      place.insertAfter(given);
    } else {
      place.insert(given);
    }
    return ExitCode.OK;
  }
}
