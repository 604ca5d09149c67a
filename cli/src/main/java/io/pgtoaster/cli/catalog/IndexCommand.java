package io.pgtoaster.cli.catalog;

import io.pgtoaster.SearchIndex;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.command.Version;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.QualifiedName;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.Terminal;
import io.pgtoaster.cli.terminal.TextTable;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.JsonIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Groups the commands for search indexes. */
@Command(
    name = "index",
    synopsisSubcommandLabel = "COMMAND",
    description = "Create, drop and list search indexes of documents.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      IndexCommand.Create.class,
      IndexCommand.Drop.class,
      IndexCommand.Ls.class,
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster index create product doc containment",
      "  pgtoaster index create product doc text --config english --online",
      "  pgtoaster index create product doc path --path 'variants[*].price' --path event.date",
      "  pgtoaster index ls"
    })
public final class IndexCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "give a command: create, drop or ls");
  }

  /** Creates an index. */
  @Command(
      name = "create",
      description = {
        "Create a search index. Does nothing if it exists.",
        "containment finds documents that contain a value; text finds those that contain words;",
        "path finds those that have a value in a range, at one of the given paths."
      })
  static final class Create extends DatabaseCommand {
    @Parameters(index = "0", paramLabel = "TABLE", description = "Name as written in SQL.")
    String table;

    @Parameters(index = "1", paramLabel = "COLUMN", description = "Name as written in SQL.")
    String column;

    @Parameters(index = "2", paramLabel = "KIND", description = "One of ${COMPLETION-CANDIDATES}.")
    JsonIndex.Kind kind;

    @Option(
        names = "--config",
        paramLabel = "NAME",
        description = "Text search configuration of a text index, such as english.")
    @Nullable String config;

    @Option(
        names = "--path",
        paramLabel = "PATH",
        description = "Path of a path index, such as variants[*].price; repeatable.")
    List<String> paths = List.of();

    @Option(names = "--online", description = "Do not block writers; takes about twice as long.")
    boolean online;

    @Override
    protected int run(Database database) {
      if ((kind == JsonIndex.Kind.TEXT) != (config != null)) {
        throw new ParameterException(
            spec.commandLine(), "a text index needs --config NAME, and no other index takes it");
      }
      if ((kind == JsonIndex.Kind.PATH) == paths.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "a path index needs --path PATH, and no other index takes it");
      }
      ColumnName name = QualifiedName.column(table, column);
      JsonIndex index = index().withOnline(online);
      Runnable create = () -> database.pgToaster().catalog().createIndex(name, index);
      if (globals().quiet || !Terminal.isTerminal(2)) {
        create.run();
      } else {
        IndexProgress.show(database.dataSource(), name, create);
      }
      globals().say("indexed " + name + " for " + kind.sqlName());
      return ExitCode.OK;
    }

    private JsonIndex index() {
      if (config != null) {
        return JsonIndex.text(config);
      }
      return paths.isEmpty()
          ? JsonIndex.containment()
          : JsonIndex.path(paths.toArray(String[]::new));
    }
  }

  /** Drops an index. */
  @Command(name = "drop", description = "Drop a search index.")
  static final class Drop extends DatabaseCommand {
    @Parameters(index = "0", paramLabel = "TABLE", description = "Name as written in SQL.")
    String table;

    @Parameters(index = "1", paramLabel = "COLUMN", description = "Name as written in SQL.")
    String column;

    @Parameters(index = "2", paramLabel = "KIND", description = "One of ${COMPLETION-CANDIDATES}.")
    JsonIndex.Kind kind;

    @Override
    protected int run(Database database) {
      ColumnName name = QualifiedName.column(table, column);
      database.pgToaster().catalog().dropIndex(name, kind);
      globals().say("dropped the index of " + name + " for " + kind.sqlName());
      return ExitCode.OK;
    }
  }

  /** Lists the indexes. */
  @Command(name = "ls", description = "List the search indexes.")
  static final class Ls extends DatabaseCommand {
    @Override
    protected int run(Database database) {
      List<SearchIndex> indexes = database.pgToaster().catalog().indexes();
      if (indexes.isEmpty()) {
        globals().say("there is no search index in " + database);
        return ExitCode.OK;
      }
      TextTable rows = new TextTable("lllr");
      rows.row("COLUMN", "KIND", "OPTIONS", "ON DISK");
      indexes.forEach(
          i ->
              rows.row(
                  PrintableText.of(i.column().toString()),
                  i.kind().sqlName() + (i.complete() ? "" : " (incomplete)"),
                  options(i),
                  ByteSize.format(i.bytes())));
      out().print(rows);
      out().flush();
      return ExitCode.OK;
    }

    private static String options(SearchIndex index) {
      String options = index.config() == null ? String.join(", ", index.paths()) : index.config();
      return options.isEmpty() ? "-" : PrintableText.of(options);
    }
  }
}
