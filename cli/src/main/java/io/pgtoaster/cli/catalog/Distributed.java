package io.pgtoaster.cli.catalog;

import io.pgtoaster.Catalog;
import io.pgtoaster.DistributionStep;
import io.pgtoaster.cli.name.QualifiedName;
import java.util.List;
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
      description = "As SQL writes it; its columns are attached with a leading key.")
  @Nullable String table;

  List<DistributionStep> plan(Catalog catalog) {
    if (schema != null) {
      return catalog.distributionPlan(schema);
    }
    QualifiedName name = QualifiedName.table(toString());
    return catalog.tableDistributionPlan(name.schema(), name.name());
  }

  void distribute(Catalog catalog) {
    if (schema != null) {
      catalog.distribute(schema);
    } else {
      QualifiedName name = QualifiedName.table(toString());
      catalog.distributeTable(name.schema(), name.name());
    }
  }

  void undistribute(Catalog catalog) {
    if (schema != null) {
      catalog.undistribute(schema);
    } else {
      QualifiedName name = QualifiedName.table(toString());
      catalog.undistributeTable(name.schema(), name.name());
    }
  }

  @Override
  public String toString() {
    return schema != null ? schema : String.valueOf(table);
  }
}
