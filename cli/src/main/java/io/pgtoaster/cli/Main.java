package io.pgtoaster.cli;

import io.pgtoaster.cli.catalog.AttachCommand;
import io.pgtoaster.cli.catalog.DetachCommand;
import io.pgtoaster.cli.catalog.DistributeCommand;
import io.pgtoaster.cli.catalog.GcCommand;
import io.pgtoaster.cli.catalog.IndexCommand;
import io.pgtoaster.cli.catalog.InstallCommand;
import io.pgtoaster.cli.catalog.MigrateCommand;
import io.pgtoaster.cli.catalog.SetOptionsCommand;
import io.pgtoaster.cli.catalog.StatusCommand;
import io.pgtoaster.cli.catalog.UndistributeCommand;
import io.pgtoaster.cli.command.ErrorReport;
import io.pgtoaster.cli.command.Globals;
import io.pgtoaster.cli.command.Version;
import io.pgtoaster.cli.content.AppendCommand;
import io.pgtoaster.cli.content.CatCommand;
import io.pgtoaster.cli.content.CompactCommand;
import io.pgtoaster.cli.content.DiscardCommand;
import io.pgtoaster.cli.content.LsCommand;
import io.pgtoaster.cli.content.RepairCommand;
import io.pgtoaster.cli.content.RmCommand;
import io.pgtoaster.cli.content.SealCommand;
import io.pgtoaster.cli.content.StatCommand;
import io.pgtoaster.cli.content.TailCommand;
import io.pgtoaster.cli.content.TruncateCommand;
import io.pgtoaster.cli.content.VerifyCommand;
import io.pgtoaster.cli.demo.DemoCommand;
import io.pgtoaster.cli.io.Bytes;
import io.pgtoaster.cli.io.PathArgument;
import io.pgtoaster.cli.json.JsonCommand;
import io.pgtoaster.column.DocumentPath;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command {@code pgtoaster}. */
@Command(
    name = "pgtoaster",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Streaming append and ranged reads for big growing values in PostgreSQL, and big JSON"
            + " documents read and changed by path.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    subcommands = {
      DemoCommand.class,
      AppendCommand.class,
      CatCommand.class,
      TailCommand.class,
      JsonCommand.class,
      LsCommand.class,
      StatCommand.class,
      TruncateCommand.class,
      DiscardCommand.class,
      SealCommand.class,
      RmCommand.class,
      VerifyCommand.class,
      RepairCommand.class,
      CompactCommand.class,
      GcCommand.class,
      InstallCommand.class,
      AttachCommand.class,
      SetOptionsCommand.class,
      IndexCommand.class,
      MigrateCommand.class,
      DetachCommand.class,
      DistributeCommand.class,
      UndistributeCommand.class,
      StatusCommand.class,
      GenerateCompletion.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the operation failed",
      "2:usage error; nothing was done",
      "3:no such table, column, row, blob, document or path",
      "4:conflict: an unexpected length or content, or a failed test of a patch",
      "5:sealed, forbidden, or not supported by the column",
      "6:no connection to the database, or the connection was lost",
      "130:interrupted (128 + the number of the signal)"
    },
    footer = {
      "",
      "Examples, with the embedded server (nothing to set up):",
      "  pgtoaster append app.log /var/log/syslog   a file into the blob app.log",
      "  make 2>&1 | pgtoaster append build.log     a stream into a growing blob",
      "  pgtoaster tail -f build.log                in another terminal",
      "  pgtoaster cat build.log --offset 1M --length 4K",
      "  pgtoaster json put config settings.json    a JSON document",
      "  pgtoaster json get config limits.upload    one value of it",
      "With your own database:",
      "  export PGTOASTER_URL=postgres://me@db.example/media",
      "  pgtoaster install && pgtoaster attach recording audio",
      "  pgtoaster append -t recording -c audio 42 part1.flac part2.flac",
      "",
      "A KEY is the primary key of the row. Separate the values of several columns by commas:",
      "  7,2026-11-20 or 7,\"a, b\"",
      "Write -- before keys that come from elsewhere: a key that begins with - would be read as an option.",
      "Sizes and offsets take K, M, G (1,024) and kB, MB, GB (1,000).",
      "For completion in bash and zsh, run: source <(pgtoaster generate-completion)",
      "The embedded server keeps its data in PGTOASTER_HOME, or in the usual place for a user's",
      "data, and runs only while a command uses it."
    })
public final class Main implements Runnable, Globals.Holder {
  @Mixin Globals globals;
  @Spec CommandSpec spec;

  Main() {
    this.globals = new Globals();
  }

  @Override
  public Globals globals() {
    return globals;
  }

  /**
   * Runs a command and ends the JVM with its exit code.
   *
   * @param args arguments of the command
   */
  public static void main(String... args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    Main main = new Main();
    CommandLine line = new CommandLine(main);
    line.registerConverter(Bytes.class, Bytes::parse);
    line.registerConverter(DocumentPath.class, PathArgument::parse);
    // A key or a file name may begin with @.
    line.setExpandAtFiles(false);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionStrategy(Main::execute);
    line.setParameterExceptionHandler(new ErrorReport(main.globals));
    line.setExecutionExceptionHandler(new ErrorReport(main.globals));
    layOut(line);
    return line;
  }

  private static void layOut(CommandLine line) {
    line.getCommandSpec().usageMessage().sortOptions(false).autoWidth(true);
    line.getSubcommands().values().forEach(Main::layOut);
  }

  private static int execute(ParseResult words) {
    for (ParseResult at = words; at != null; at = at.subcommand()) {
      requireUrlBeforePositionals(at);
    }
    return new CommandLine.RunLast().execute(words);
  }

  /**
   * Rejects --url after the arguments: a key from elsewhere, for example through xargs, may begin
   * with "--url=", and the server that it names would receive passwords.
   */
  private static void requireUrlBeforePositionals(ParseResult words) {
    boolean positional = false;
    for (ArgSpec word : words.matchedArgs()) {
      if (word instanceof OptionSpec option
          && positional
          && option.longestName().equals(Globals.URL)) {
        throw new CommandLine.ParameterException(
            words.commandSpec().commandLine(),
            "put --url before keys, names and files, and -- before those that begin with -");
      }
      positional |= word.isPositional();
    }
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "give a command, such as demo, append, cat, tail or ls");
  }
}
