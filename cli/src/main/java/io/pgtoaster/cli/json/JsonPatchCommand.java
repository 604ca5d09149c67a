package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.JsonInput;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonPatch;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Applies a JSON Patch. */
@Command(
    name = "patch",
    description =
        "Apply a JSON Patch (RFC 6902) as a whole or not at all. A test that fails is a conflict.",
    footer = {
      "",
      "Example:",
      "  pgtoaster json patch config '[{\"op\": \"test\", \"path\": \"/version\", \"value\": 3},",
      "      {\"op\": \"replace\", \"path\": \"/version\", \"value\": 4}]'"
    })
final class JsonPatchCommand extends DocumentCommand {
  @Parameters(
      index = "1",
      paramLabel = "OPERATIONS",
      description = "The array of operations: JSON text, @FILE or -.")
  String operations;

  @Option(
      names = "--copy-limit",
      paramLabel = "BYTES",
      description = "Number of bytes that all copy operations may add. Default: ${DEFAULT-VALUE}.")
  long copyLimit = JsonPatch.DEFAULT_COPY_LIMIT;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    documents.patch(row, JsonPatch.of(JsonInput.read(operations)).withCopyLimit(copyLimit));
    return ExitCode.OK;
  }
}
