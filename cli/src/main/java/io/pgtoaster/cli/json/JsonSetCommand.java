package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.io.JsonInput;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.SetOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Sets the value at a path. */
@Command(
    name = "set",
    description =
        "Set the value at a path. It is added if only the last step of the path is missing.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster json set config 'servers[0].port' 8080",
      "  pgtoaster json set config motd '\"good morning\"'",
      "  pgtoaster json set config limits.upload 5 --parents",
      "  pgtoaster json set config logo @logo.json"
    })
final class JsonSetCommand extends DocumentCommand {
  @Parameters(index = "1", paramLabel = "PATH", description = "Where to set it.")
  DocumentPath path;

  @Parameters(index = "2", paramLabel = "VALUE", description = "JSON text, @FILE or -.")
  String value;

  @Option(
      names = {"-p", "--parents"},
      description = "Create missing parents, and the document if it is missing.")
  boolean parents;

  @Option(names = "--existing", description = "Only replace: fail if there is no value.")
  boolean existing;

  @Override
  protected void checkUsage() {
    if (parents && existing) {
      throw new ParameterException(
          spec.commandLine(), "--parents and --existing cannot be combined");
    }
  }

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    JsonNode given = JsonInput.read(value);
    if (parents) {
      addRow(false, database, documents, row);
    }
    SetOptions options =
        SetOptions.defaults().withCreateMissing(!existing).withCreateParents(parents);
    try {
      documents.at(row, path).set(given, options);
    } catch (PathNotFoundException e) {
      Failure missing = missing(path, "no parent for the value");
      throw existing || parents
          ? missing
          : new Failure(
              missing.exitCode(), missing.getMessage() + "\n--parents creates missing parents");
    }
    return ExitCode.OK;
  }
}
