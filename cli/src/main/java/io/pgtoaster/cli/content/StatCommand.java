package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.cli.command.ColumnCommand;
import io.pgtoaster.cli.command.ColumnOptions;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.command.TargetColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.io.DocumentFacts;
import io.pgtoaster.cli.io.Facts;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the properties of a blob or document. */
@Command(
    name = "stat",
    description = "Show the properties of a blob or document, and the space that it uses.")
public final class StatCommand extends DatabaseCommand {
  @Mixin ColumnOptions options;

  @Parameters(index = "0", paramLabel = "KEY", description = "The row's key.")
  String key;

  @Option(names = "--json", description = "Write JSON.")
  boolean json;

  @Override
  protected int run(Database database) throws SQLException {
    AttachedColumn column = options.target().find(database);
    List<String> row = ColumnCommand.key(column, key);
    if (TargetColumn.holdsDocuments(column)) {
      DocumentColumn documents = options.target().documents(database);
      DocumentStat stat = documents.stat(row).orElseThrow(this::noContent);
      DocumentFacts.print(out(), json, key, column, stat);
      return ExitCode.OK;
    }
    BlobColumn blobs = options.target().blobs(database);
    BlobInfo info = blobs.info(row).orElseThrow(this::noContent);
    Facts facts =
        new Facts()
            .add("key", key)
            .add("column", column.describe())
            .add("toaster", column.toaster())
            .add("length", info.length())
            .add("first", info.first())
            .add("generation", info.generation())
            .add("sealed", info.sealed())
            .add("created", info.createdAt() == null ? null : info.createdAt().toString());
    StoredSize.of(database, column, row).ifPresent(stored -> stored.addTo(facts.map()));
    facts.print(out(), json);
    return ExitCode.OK;
  }

  private Failure noContent() {
    return new Failure(ExitCode.NOT_FOUND, "the row " + key + " has no content");
  }
}
