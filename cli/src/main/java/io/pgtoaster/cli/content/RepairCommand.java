package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.ColumnCommand;
import io.pgtoaster.cli.command.ColumnOptions;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Repairs documents that were damaged by writes that bypassed the library. */
@Command(
    name = "repair",
    description = {
      "List the damage in documents and how it would be repaired; with --yes repair it: content"
          + " that stored rows still contain is restored, the rest is set aside as plain jsonb in"
          + " the table pgtoaster.store_N_aside, and nothing is dropped. Repaired documents are"
          + " compacted.",
      "Only the owner of the table can run it. The exit code is 1 if something was found and not"
          + " repaired."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster repair -t person -c doc",
      "  pgtoaster repair -t person -c doc 7 --yes"
    })
public final class RepairCommand extends DatabaseCommand {
  private static final String REPAIR =
      """
      SELECT r.key, r.place, r.problem, r.action
      FROM pgtoaster.repair(CAST(? AS regclass), CAST(? AS name), CAST(? AS text[]), ?) r
      """;

  @Mixin ColumnOptions options;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "KEY",
      description = "The row's key; without it, every document of the column.")
  @Nullable String key;

  @Option(
      names = {"-y", "--yes"},
      description = "Repair the listed damage.")
  boolean yes;

  @Override
  protected int run(Database database) throws SQLException {
    DocumentColumn documents = options.target().documents(database);
    AttachedColumn column = ColumnAccess.column(documents);
    @Nullable List<String> row = key == null ? null : ColumnCommand.key(column, key);
    Set<List<String>> damaged = new LinkedHashSet<>();
    try (Connection connection = database.dataSource().getConnection()) {
      if (yes && row == null) {
        // Repair row by row, each in a separate transaction.
        for (List<String> found : repair(connection, column, null, true, false)) {
          damaged.addAll(repair(connection, column, found, false, true));
        }
      } else {
        damaged.addAll(repair(connection, column, row, !yes, true));
      }
    }
    if (yes) {
      damaged.forEach(documents::compact);
    }
    String what = damaged.size() + (damaged.size() == 1 ? " document" : " documents");
    globals()
        .say(
            yes
                ? what + " repaired"
                : what + " damaged" + (damaged.isEmpty() ? "" : "; --yes repairs them"));
    return yes || damaged.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Repairs or lists damaged rows, and returns their keys. */
  private Collection<List<String>> repair(
      Connection connection,
      AttachedColumn column,
      @Nullable List<String> row,
      boolean dryRun,
      boolean tell)
      throws SQLException {
    Set<List<String>> keys = new LinkedHashSet<>();
    @Nullable Array given = row == null ? null : connection.createArrayOf("text", row.toArray());
    try (PreparedStatement s = connection.prepareStatement(REPAIR)) {
      s.setString(1, column.quotedTable());
      s.setString(2, column.column());
      s.setArray(3, given);
      s.setBoolean(4, dryRun);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          List<String> found = List.of((String[]) r.getArray(1).getArray());
          keys.add(found);
          if (tell) {
            @Nullable String place = r.getString(2);
            String line =
                "%s: %s%s: %s"
                    .formatted(
                        KeyText.format(found),
                        place == null ? "" : place + ": ",
                        r.getString(3),
                        r.getString(4));
            out().println(PrintableText.of(line));
          }
        }
      }
    }
    out().flush();
    return keys;
  }
}
