package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.JsonFormat;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Writes some elements of an array. */
@Command(
    name = "slice",
    description = "Write some elements of the array at a path, as an array.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster json slice config servers 0 10     the first ten",
      "  pgtoaster json slice config servers -10      the last ten"
    })
final class JsonSliceCommand extends DocumentCommand {
  @Parameters(index = "1", paramLabel = "PATH", description = "The array.")
  DocumentPath path;

  @Parameters(
      index = "2",
      paramLabel = "FROM",
      description =
          "Position of the first element, from 0. A negative position counts from the end.")
  long from;

  @Parameters(
      index = "3",
      arity = "0..1",
      paramLabel = "TO",
      description =
          "Position after the last element. A negative position counts from the end. Default: all"
              + " elements.")
  long to = Long.MAX_VALUE;

  @Mixin JsonFormat format;

  @Override
  protected void checkUsage() {
    if ((from < 0) == (to < 0) && to < from) {
      throw new ParameterException(spec.commandLine(), "TO is less than FROM");
    }
  }

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    List<JsonNode> elements =
        documents.at(row, path).slice(from, to).orElseThrow(() -> missing(path, "no array"));
    ArrayNode array = JsonNodeFactory.instance.arrayNode().addAll(elements);
    byte[] text = JsonbText.text(array).getBytes(StandardCharsets.UTF_8);
    format.write(new ByteArrayInputStream(text));
    return ExitCode.OK;
  }
}
