package io.pgtoaster.cli.command;

import picocli.CommandLine.Option;

/** The options that select a column of documents. */
public final class DocumentOptions {
  @Option(
      names = {"-t", "--table"},
      paramLabel = "TABLE",
      defaultValue = DefaultTable.DOCUMENT_TABLE,
      description =
          "The table, as written in SQL: person, crm.person, '\"We.ird\".\"Name\"'. Default:"
              + " ${DEFAULT-VALUE}, which the embedded server creates automatically.")
  String table;

  @Option(
      names = {"-c", "--column"},
      paramLabel = "COLUMN",
      defaultValue = DefaultTable.DOC,
      description = "The jsonb column, attached or not. Default: ${DEFAULT-VALUE}.")
  String column;

  public TargetColumn target() {
    return new TargetColumn(table, column);
  }
}
