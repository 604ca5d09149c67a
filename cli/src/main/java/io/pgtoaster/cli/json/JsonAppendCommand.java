package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.JsonInput;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Appends to an array. */
@Command(
    name = "append",
    description = "Append elements to the array at a path.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster json append config servers '{\"name\": \"b\", \"port\": 8081}'",
      "  pgtoaster json append config ports 8080 8081"
    })
final class JsonAppendCommand extends DocumentCommand {
  @Parameters(index = "1", paramLabel = "PATH", description = "The array.")
  DocumentPath path;

  @Parameters(
      index = "2..*",
      arity = "1..*",
      paramLabel = "VALUE",
      description = "JSON text, @FILE or -; each is one element.")
  List<String> values;

  @Option(
      names = "--keep-last",
      paramLabel = "N",
      description = "Remove elements from the start, so that at most N are left.")
  @Nullable Integer keepLast;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    List<JsonNode> elements = new ArrayList<>();
    for (String value : values) {
      elements.add(JsonInput.read(value));
    }
    DocumentValue array = documents.at(row, path);
    if (keepLast == null) {
      array.append(elements.toArray());
    } else {
      array.appendKeepingLast(keepLast, elements.toArray());
    }
    return ExitCode.OK;
  }
}
