package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.Version;
import io.pgtoaster.cli.explain.JsonExplainCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands for documents. */
@Command(
    name = "json",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Read and change JSON documents by path.",
      "The column is of type jsonb. In a column attached to the toaster keyed, large documents are"
          + " spread over small rows, and a command accesses only those that it needs; in any other"
          + " jsonb column the commands use PostgreSQL's own functions."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      JsonGetCommand.class,
      JsonSetCommand.class,
      JsonAppendCommand.class,
      JsonInsertCommand.class,
      JsonRemoveCommand.class,
      JsonIncrementCommand.class,
      JsonMergeCommand.class,
      JsonPatchCommand.class,
      JsonPutCommand.class,
      JsonLoadCommand.class,
      JsonKeysCommand.class,
      JsonSizeCommand.class,
      JsonSliceCommand.class,
      JsonStatCommand.class,
      JsonExplainCommand.class
    },
    footer = {
      "",
      "Examples, with the embedded server (nothing to set up):",
      "  pgtoaster json put config settings.json          a file",
      "  pgtoaster json get config 'servers[0].name'      one value",
      "  pgtoaster json set config 'servers[0].port' 8080",
      "  pgtoaster json append config servers '{\"name\": \"b\"}'",
      "  pgtoaster json explain --compare set config 'servers[0].port' 8080",
      "With your own table:",
      "  pgtoaster attach person doc --toaster keyed",
      "  pgtoaster json get -t person -c doc 42 'roles[-1].title'",
      "",
      "Write a PATH as roles[5].title, [\"key with a dot.\"].x, or as a JSON Pointer:",
      "/roles/5/title. Positions count from 0; negative ones from the end.",
      "A VALUE is JSON text, so a string needs double quotes: '\"text\"'. @FILE reads",
      "it from a file, and - from standard input."
    })
public final class JsonCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "give a command, such as json get, json set or json put");
  }
}
