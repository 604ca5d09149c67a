package io.pgtoaster.cli.command;

import picocli.CommandLine.Option;

/** The options that select a column of blobs. */
public final class ColumnOptions {
  @Option(
      names = {"-t", "--table"},
      paramLabel = "TABLE",
      defaultValue = DefaultTable.FILES,
      description =
          "The table, as written in SQL: recording, media.recording, '\"We.ird\".\"Name\"'. Default:"
              + " ${DEFAULT-VALUE}, which the embedded server creates automatically.")
  String table;

  @Option(
      names = {"-c", "--column"},
      paramLabel = "COLUMN",
      defaultValue = DefaultTable.CONTENT,
      description = "The attached column. Default: ${DEFAULT-VALUE}.")
  String column;

  public TargetColumn target() {
    return new TargetColumn(table, column);
  }
}
