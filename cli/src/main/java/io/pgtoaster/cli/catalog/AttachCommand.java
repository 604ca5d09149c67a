package io.pgtoaster.cli.catalog;

import io.pgtoaster.Attachment;
import io.pgtoaster.Catalog;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.command.TargetColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.Bytes;
import io.pgtoaster.cli.name.QualifiedName;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.Compression;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Attaches a column to a toaster. */
@Command(
    name = "attach",
    description = {
      "Attach a column of a table to a toaster: for blobs a new or empty column, for documents any"
          + " column of type jsonb. A missing column is added.",
      "Existing documents stay unchanged until they are edited; 'pgtoaster compact -t TABLE -c"
          + " COLUMN' splits those that are too big for their row."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster attach recording audio",
      "  pgtoaster attach media.log body --compression lz4 --crc32c",
      "  pgtoaster attach person doc --row-budget 4000 --keep-inline name"
    })
public final class AttachCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "Name as written in SQL.")
  String table;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "Name as written in SQL.")
  String column;

  @Option(
      names = "--toaster",
      paramLabel = "NAME",
      description =
          "appendable (a store of chunks; the default), keyed (documents that are split; the default"
              + " for a column of type jsonb), default (the stock column), or one from a jar.")
  @Nullable String toaster;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description = "One of ${COMPLETION-CANDIDATES}, in upper or lower case.")
  @Nullable Compression compression;

  @Option(
      names = "--key",
      paramLabel = "INDEX",
      description = "Identify rows by this unique index instead of the primary key.")
  @Nullable String keyIndex;

  @Option(
      names = "--leading-key",
      paramLabel = "COLUMN",
      description =
          "A column, such as the tenant, that the store's tables also have. It must be NOT NULL,"
              + " and for documents part of the row key.")
  @Nullable String leadingKey;

  @Option(
      names = "--in-owner-schema",
      description =
          "Create the store in the schema of the table instead of pgtoaster: for roles that did not"
              + " install the catalog.")
  boolean inOwnerSchema;

  @Option(
      names = "--if-absent",
      description =
          "Do nothing if the column is already attached to that toaster; it keeps its options.")
  boolean ifAbsent;

  @ArgGroup(exclusive = false, heading = "For blobs:%n", order = 1)
  @Nullable BlobPart forBlobs;

  @ArgGroup(exclusive = false, heading = "For documents:%n", order = 2)
  @Nullable DocumentPart forDocuments;

  /** Options for blobs only. */
  static final class BlobPart {
    @Option(names = "--chunk-size", paramLabel = "SIZE", description = "512 bytes to 1M.")
    @Nullable Bytes chunkSize;

    @Option(
        names = "--tail",
        paramLabel = "SIZE",
        description =
            "Maximum bytes of small appends to collect in the blob's head row, 0 to 4000.")
    @Nullable Bytes tail;

    @Option(names = "--crc32c", description = "Store a checksum for each chunk.")
    boolean crc32c;

    @Option(names = "--notify", description = "Notify followers with NOTIFY.")
    boolean notifyFollowers;
  }

  /** Options for documents only. */
  static final class DocumentPart {
    @Option(
        names = "--row-budget",
        paramLabel = "SIZE",
        description =
            "Maximum size of a row in bytes, 256 to 8000. From a larger row, the largest members of"
                + " the document are moved out of line. Default: 2000.")
    @Nullable Bytes rowBudget;

    @Option(
        names = "--leaf-size",
        paramLabel = "SIZE",
        description = "Size of the stored rows with out-of-line members, 512 to 64K. Default: 16K.")
    @Nullable Bytes leafSize;

    @Option(
        names = "--fan-out",
        paramLabel = "N",
        description = "Maximum number of children of a stored row, 4 to 512. Default: 128.")
    @Nullable Integer fanOut;

    @Option(
        names = "--keep-inline",
        paramLabel = "PATH",
        description = "A member that is never moved out of line; may be given several times.")
    @Nullable List<DocumentPath> keepInline;

    @Option(
        names = "--touch",
        paramLabel = "KIND",
        description =
            "row: also update the row when only stored rows change, for triggers and row versions;"
                + " none (the default): do not update it.")
    JsonOptions.@Nullable Touch touch;

    @Option(
        names = "--unchanged",
        paramLabel = "KIND",
        description =
            "How to treat an UPDATE in plain SQL that does not change a split document: warning"
                + " (the default), error or ignore.")
    JsonOptions.@Nullable Unchanged unchanged;
  }

  @Override
  protected int run(Database database) throws SQLException {
    ColumnName name = QualifiedName.column(table, column);
    boolean jsonb = isJsonb(database, name);
    String chosen = toaster == null ? (jsonb ? JsonOptions.TOASTER : BlobOptions.TOASTER) : toaster;
    boolean documents = isForDocuments(chosen, jsonb);
    refuseOptionsOf(documents ? forBlobs : forDocuments, chosen, documents);
    Catalog catalog = database.pgToaster().catalog();
    ToasterOptions options =
        ToasterOptions.of(chosen, (documents ? documentOptions() : blobOptions()).toMap());
    Attachment attached =
        ifAbsent ? catalog.attachIfAbsent(name, options) : catalog.attach(name, options);
    String where = attached.store() == 0 ? "" : ", store " + attached.store();
    globals()
        .say(
            attached.added()
                ? "attached " + name + " to " + chosen + where
                : name + " is already attached to " + chosen + where);
    if (documents
        && Toasters.documents().get(chosen).capabilities().contains(JsonCapability.STUBS)) {
      printUses(database, name.column());
    }
    return ExitCode.OK;
  }

  private boolean isJsonb(Database database, ColumnName name) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return TargetColumn.holdsDocuments(ColumnLookup.find(connection, name));
    } catch (ColumnNotFoundException e) {
      return false; // attach adds the column, or reports the problem
    }
  }

  /** Returns true if a toaster is for documents. The toaster "default" exists for both kinds. */
  private static boolean isForDocuments(String toaster, boolean jsonb) {
    boolean canDocuments = Toasters.documents().names().contains(toaster);
    return canDocuments && (jsonb || !Toasters.blobs().names().contains(toaster));
  }

  private void refuseOptionsOf(@Nullable Object others, String toaster, boolean documents) {
    if (others != null) {
      throw new ParameterException(
          spec.commandLine(),
          "the toaster "
              + toaster
              + (documents
                  ? " is for documents, and takes no options for blobs"
                  : " is for blobs, and takes no options for documents"));
    }
  }

  private BlobOptions blobOptions() {
    BlobPart part = forBlobs == null ? new BlobPart() : forBlobs;
    return BlobOptions.defaults()
        .withChunkSize(intOrNull(part.chunkSize))
        .withTail(intOrNull(part.tail))
        .withCrc32c(part.crc32c ? true : null)
        .withCompression(compression)
        .withLeadingKey(leadingKey == null ? null : QualifiedName.column(leadingKey))
        .withKeyIndex(keyIndex == null ? null : QualifiedName.column(keyIndex))
        .withNotifyFollowers(part.notifyFollowers ? true : null)
        .withInOwnerSchema(inOwnerSchema ? true : null);
  }

  private JsonOptions documentOptions() {
    DocumentPart part = forDocuments == null ? new DocumentPart() : forDocuments;
    return JsonOptions.defaults()
        .withRowBudget(intOrNull(part.rowBudget))
        .withLeafSize(intOrNull(part.leafSize))
        .withFanOut(part.fanOut)
        .withKeepInline(part.keepInline)
        .withCompression(compression)
        .withTouch(part.touch)
        .withUnchanged(part.unchanged)
        .withLeadingKey(leadingKey == null ? null : QualifiedName.column(leadingKey))
        .withKeyIndex(keyIndex == null ? null : QualifiedName.column(keyIndex))
        .withInOwnerSchema(inOwnerSchema ? true : null);
  }

  /** Prints indexes, views and other objects that use the column, and what they will read. */
  private void printUses(Database database, String exact) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement s =
            connection.prepareStatement(
                "SELECT u.kind, u.name, u.effect FROM pgtoaster.column_uses(CAST(? AS"
                    + " pg_catalog.regclass), CAST(? AS pg_catalog.name)) u")) {
      s.setString(1, QualifiedName.table(table).toString());
      s.setString(2, exact);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          String use = r.getString(1) + " " + r.getString(2) + ": " + r.getString(3);
          globals().say(PrintableText.of(use));
        }
      }
    }
  }

  private static @Nullable Integer intOrNull(@Nullable Bytes bytes) {
    return bytes == null ? null : (int) Math.min(Integer.MAX_VALUE, bytes.value());
  }
}
