package io.pgtoaster.cli;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.QualifiedName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Attaches a column to a toaster. */
@Command(
    name = "attach",
    description = {
      "Attach a new or empty column of a table to a toaster. A column that is not there is added.",
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster attach recording audio",
      "  pgtoaster attach media.log body --compression lz4 --crc32c"
    })
final class AttachCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "As SQL writes it.")
  String table;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "As SQL writes it.")
  String column;

  @Option(
      names = "--toaster",
      paramLabel = "NAME",
      defaultValue = "appendable",
      description =
          "appendable (a store of chunks; the default), default (over bytea), or one from a jar.")
  String toaster;

  @Option(names = "--chunk-size", paramLabel = "SIZE", description = "512 bytes to 1M.")
  @Nullable Bytes chunkSize;

  @Option(
      names = "--tail",
      paramLabel = "SIZE",
      description = "Bytes that small appends gather in the blob's head row, 0 to 4000.")
  @Nullable Bytes tail;

  @Option(names = "--crc32c", description = "Keep a checksum per chunk.")
  boolean crc32c;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description = "One of ${COMPLETION-CANDIDATES}, in lower case if you like.")
  BlobOptions.@Nullable Compression compression;

  @Option(
      names = "--leading-key",
      paramLabel = "COLUMN",
      description = "A NOT NULL column, such as the tenant, that leads every key of the store.")
  @Nullable String leadingKey;

  @Option(
      names = "--key",
      paramLabel = "INDEX",
      description = "Address rows by this unique index instead of the primary key.")
  @Nullable String keyIndex;

  @Option(names = "--notify", description = "Wake followers by NOTIFY.")
  boolean notifyFollowers;

  @Override
  int run(Database database) {
    QualifiedName name = QualifiedName.table(table);
    BlobOptions options =
        new BlobOptions(
            intOrNull(chunkSize),
            intOrNull(tail),
            crc32c ? true : null,
            compression,
            leadingKey == null ? null : QualifiedName.column(leadingKey),
            keyIndex == null ? null : QualifiedName.column(keyIndex),
            notifyFollowers ? true : null);
    int store =
        PgToaster.create(database.dataSource())
            .catalog()
            .attach(name.schema(), name.name(), QualifiedName.column(column), toaster, options);
    globals().say("attached " + name + "." + column + " to " + toaster + ", store " + store);
    return ExitCode.OK;
  }

  private static @Nullable Integer intOrNull(@Nullable Bytes bytes) {
    return bytes == null ? null : (int) Math.min(Integer.MAX_VALUE, bytes.value());
  }
}
