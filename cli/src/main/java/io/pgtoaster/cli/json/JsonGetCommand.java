package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.ContentOutput;
import io.pgtoaster.cli.io.JsonFormat;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Writes the value at a path to standard output. */
@Command(
    name = "get",
    description = "Write the value at a path, or the whole document, to standard output.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster json get config",
      "  pgtoaster json get config 'servers[-1].name' --raw",
      "  pgtoaster json get -t person -c doc 42 /roles/5/title"
    })
final class JsonGetCommand extends DocumentCommand {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "",
      description = "Path of the value. Default: the whole document.")
  DocumentPath path;

  @Mixin JsonFormat format;

  @Option(
      names = {"-r", "--raw"},
      description = "Write a string as it is, without quotes and escapes.")
  boolean raw;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    DocumentValue stored = documents.at(row, path);
    if (raw) {
      JsonNode value = stored.get().orElseThrow(() -> missing(path, "nothing"));
      if (value.isString()) {
        byte[] text = (value.stringValue() + "\n").getBytes(StandardCharsets.UTF_8);
        ContentOutput.toStandardOutput(new ByteArrayInputStream(text));
        return ExitCode.OK;
      }
    }
    try (InputStream text = stored.stream().orElseThrow(() -> missing(path, "nothing"))) {
      format.write(text);
    }
    return ExitCode.OK;
  }
}
