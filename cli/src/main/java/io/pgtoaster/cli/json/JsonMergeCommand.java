package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.JsonInput;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Merges into a document. */
@Command(
    name = "merge",
    description =
        "Merge a VALUE into a document (RFC 7396): set its members in the document, remove those that"
            + " are null in the VALUE, and leave all others unchanged.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster json merge config '{\"limits\": {\"upload\": 5}, \"motd\": null}'",
      "  pgtoaster json merge config @changes.json"
    })
final class JsonMergeCommand extends DocumentCommand {
  @Parameters(index = "1", paramLabel = "VALUE", description = "JSON text, @FILE or -.")
  String value;

  @Option(
      names = "--create",
      description =
          "Add a row with only this key if it is missing (always done for the default table).")
  boolean create;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    JsonNode given = JsonInput.read(value);
    addRow(create, database, documents, row);
    documents.merge(row, given);
    return ExitCode.OK;
  }
}
