package io.pgtoaster.cli.catalog;

import io.pgtoaster.Distributable;
import io.pgtoaster.cli.name.QualifiedName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The object to distribute: a schema or a table. */
final class Distributed {
  @Parameters(index = "0", paramLabel = "SCHEMA", description = "The exact name.")
  @Nullable String schema;

  @Option(
      names = {"-t", "--table"},
      paramLabel = "TABLE",
      description = "The name as written in SQL. Its columns are attached with a leading key.")
  @Nullable String table;

  Distributable get() {
    if (schema != null) {
      return Distributable.ofSchema(schema);
    }
    QualifiedName name = QualifiedName.table(toString());
    return Distributable.ofTable(name.schema(), name.name());
  }

  @Override
  public String toString() {
    return schema != null ? schema : String.valueOf(table);
  }
}
