package io.pgtoaster.cli.catalog;

import io.pgtoaster.Catalog;
import io.pgtoaster.ColumnStatus;
import io.pgtoaster.DistributedSchema;
import io.pgtoaster.DistributedTable;
import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.Json;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the status of the attached columns. */
@Command(
    name = "status",
    description = "Show the attached columns: sizes, dead share, options and warnings.")
public final class StatusCommand extends DatabaseCommand {
  @Option(
      names = "--json",
      description = "Write JSON: columns, distribution, and the server extension.")
  boolean json;

  @Override
  protected int run(Database database) {
    Catalog catalog = database.pgToaster().catalog();
    boolean installed = catalog.installedVersion() != 0;
    List<ColumnStatus> columns = installed ? catalog.status() : List.of();
    List<DistributedSchema> schemas = installed ? catalog.distributedSchemas() : List.of();
    List<DistributedTable> tables = installed ? catalog.distributedTables() : List.of();
    if (json) {
      out().println(Json.write(Report.of(columns, schemas, tables, catalog.extension())));
    } else if (!installed) {
      globals()
          .say("there is no catalog in " + database + "; run 'pgtoaster install' to create it");
    } else if (columns.isEmpty()) {
      globals().say("no column is attached in " + database);
    } else {
      print(columns);
      print(schemas, out());
      printTables(tables, out());
      out().println(inWords(catalog.extension()));
    }
    out().flush();
    return ExitCode.OK;
  }

  /** The output of {@code --json}. */
  record Report(
      List<ColumnStatus> columns,
      List<DistributedSchema> schemas,
      List<DistributedTable> tables,
      Server extension) {
    record Server(
        @Nullable String installed,
        @Nullable String available,
        boolean used,
        @Nullable String advice) {}

    static Report of(
        List<ColumnStatus> columns,
        List<DistributedSchema> schemas,
        List<DistributedTable> tables,
        ExtensionStatus server) {
      return new Report(
          columns,
          schemas,
          tables,
          new Server(server.installed(), server.available(), server.used(), server.advice()));
    }
  }

  static String inWords(ExtensionStatus server) {
    String state =
        server.installed() == null
            ? "server extension: not installed"
            : "server extension "
                + server.installed()
                + (server.used() ? ": used" : ": installed, not used");
    return server.advice() == null ? state : state + "; " + server.advice();
  }

  private void print(List<ColumnStatus> columns) {
    TextTable table = new TextTable("rllrrrrrr");
    table.row("STORE", "COLUMN", "TOASTER", "CONTENTS", "BYTES", "ROWS", "ON DISK", "DEAD", "GC");
    for (ColumnStatus c : columns) {
      table.row(
          c.store(),
          place(c),
          c.toaster(),
          shown(c.contents()),
          size(c.bytes()),
          shown(c.storedRows()),
          size(c.tableBytes()),
          c.deadShare() == null ? "-" : String.format(Locale.ROOT, "%.0f %%", c.deadShare() * 100),
          shown(c.garbage()));
    }
    out().print(table);
    for (ColumnStatus c : columns) {
      c.warnings().forEach(w -> out().println("warning: " + place(c) + ": " + PrintableText.of(w)));
    }
  }

  /** Prints the nodes of the schemas that Citus distributes, if there are any. */
  private static void print(List<DistributedSchema> schemas, PrintWriter to) {
    if (!schemas.isEmpty()) {
      TextTable table = new TextTable("llrr");
      table.row("SCHEMA", "NODE", "TABLES", "ON DISK");
      schemas.forEach(
          s ->
              table.row(
                  PrintableText.of(s.schema()),
                  PrintableText.of(s.node()),
                  s.tables(),
                  ByteSize.format(s.bytes())));
      to.print(table);
    }
  }

  /** Prints each node's share of the tables whose rows Citus distributes, if there are any. */
  private static void printTables(List<DistributedTable> tables, PrintWriter to) {
    if (!tables.isEmpty()) {
      TextTable table = new TextTable("llrr");
      table.row("TABLE", "NODE", "SHARDS", "ON DISK");
      tables.forEach(
          t ->
              table.row(
                  PrintableText.of(t.table()),
                  PrintableText.of(t.node()),
                  t.shards(),
                  ByteSize.format(t.bytes())));
      to.print(table);
    }
  }

  private static String place(ColumnStatus c) {
    return PrintableText.of(c.column() == null ? "store_" + c.store() : c.column().toString());
  }

  private static String shown(@Nullable Long number) {
    return number == null ? "-" : number.toString();
  }

  private static String size(@Nullable Long bytes) {
    return bytes == null ? "-" : ByteSize.format(bytes);
  }
}
