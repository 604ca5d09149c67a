package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that compress by lz4. */
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#offersDistribution",
    disabledReason =
        "no PostgreSQL 15 with client tools and lz4 in /usr/lib/postgresql/15; to enable:"
            + " apt-get install postgresql-15")
@MethodSource("io.pgtoaster.it.kit.Setting#lz4ByBoth")
final class AppendableLz4IT extends BlobContract implements AppendableContracts {
  AppendableLz4IT() {
    super(ColumnSpec.appendable("{\"compression\": \"lz4\"}"));
  }
}
