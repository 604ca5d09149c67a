package io.pgtoaster.cli.explain;

import io.pgtoaster.cli.command.ColumnCommand;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.command.DocumentOptions;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.explain.Explanation.Operation;
import io.pgtoaster.cli.io.Json;
import io.pgtoaster.cli.io.JsonInput;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Shows what an operation on a document costs. */
@Command(
    name = "explain",
    description = {
      "Run an operation on a document, show which rows and pages its statements accessed and how"
          + " much they wrote to the write-ahead log, and roll it back.",
      "The figures are from a second run; the first one fills the caches and is also rolled back."
          + " Rows and pages are counted for this session only, but the write-ahead log for the"
          + " whole server, so run this where nobody else is writing. The commit itself, about 40"
          + " bytes, is not counted."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster json explain get config 'servers[0].port'",
      "  pgtoaster json explain --compare append -t person -c doc 42 roles '\"admin\"'"
    })
public final class JsonExplainCommand extends DatabaseCommand {
  /** The operations that can be explained. */
  enum Kind {
    GET,
    SET,
    APPEND,
    INSERT,
    REMOVE;

    boolean takesValue() {
      return this == SET || this == APPEND || this == INSERT;
    }
  }

  @Mixin DocumentOptions options;

  @Parameters(
      index = "0",
      paramLabel = "OPERATION",
      description = "get, set, append, insert or remove.")
  Kind kind;

  @Parameters(index = "1", paramLabel = "KEY", description = "The row's key.")
  String key;

  @Parameters(index = "2", paramLabel = "PATH", description = "Where.")
  DocumentPath path;

  @Parameters(
      index = "3",
      arity = "0..1",
      paramLabel = "VALUE",
      description = "For set, append and insert: JSON text, @FILE or -.")
  @Nullable String value;

  @Option(
      names = "--compare",
      description =
          "Do the same on the document as one plain jsonb, in a table that is also rolled back.")
  boolean compare;

  @Option(names = "--json", description = "Write JSON.")
  boolean json;

  @Override
  protected void checkUsage() {
    if (kind.takesValue() != (value != null)) {
      throw new ParameterException(
          spec.commandLine(),
          kind.name().toLowerCase(java.util.Locale.ROOT)
              + (value == null ? " takes a VALUE" : " takes no VALUE"));
    }
  }

  @Override
  protected int run(Database database) throws Exception {
    AttachedColumn column = ColumnAccess.column(options.target().documents(database));
    List<String> row = ColumnCommand.key(column, key);
    @Nullable JsonNode given = value == null ? null : JsonInput.read(value);
    Operation operation = operation(given);
    Map<String, Explanation> found = new LinkedHashMap<>();
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try {
        Explanation own = Explanation.of(connection, column, row, path, operation);
        if (!own.found()) {
          throw new Failure(
              ExitCode.NOT_FOUND,
              "there is nothing to explain: the row " + key + " has nothing at " + path);
        }
        found.put(column.describe() + ", toaster " + own.toaster(), own);
        if (compare) {
          connection.rollback();
          AttachedColumn plain = Explanation.plainCopy(connection, column, row);
          found.put(
              "the same document as one plain jsonb",
              Explanation.of(connection, plain, List.of("1"), path, operation));
        }
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
    if (json) {
      out().println(Json.write(found));
    } else {
      out().print(new ExplanationText(found));
    }
    out().flush();
    return ExitCode.OK;
  }

  private Operation operation(@Nullable JsonNode given) {
    return switch (kind) {
      case GET -> value -> value.text().isPresent();
      case SET -> changing(value -> value.set(given));
      case APPEND -> changing(value -> value.append(given));
      case INSERT -> changing(value -> value.insert(given));
      case REMOVE -> DocumentValue::remove;
    };
  }

  private static Operation changing(Consumer<DocumentValue> edit) {
    return value -> {
      edit.accept(value);
      return true;
    };
  }
}
