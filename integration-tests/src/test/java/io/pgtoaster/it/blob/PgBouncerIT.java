package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.blob.contract.HandleContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.PostgresServers;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.provider.MethodSource;

/** Blobs through PgBouncer in transaction mode. */
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#offersPgBouncer",
    disabledReason = PostgresServers.NO_PGBOUNCER)
@MethodSource("io.pgtoaster.it.kit.Setting#throughPgBouncer")
final class PgBouncerIT extends BlobContract implements AppendableContracts, HandleContract {
  PgBouncerIT() {
    super(ColumnSpec.appendable("{}"));
  }
}
