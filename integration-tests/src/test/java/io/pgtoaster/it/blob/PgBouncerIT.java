package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.blob.contract.HandleContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;
import io.pgtoaster.it.kit.PostgresServers;
import org.junit.jupiter.api.condition.EnabledIf;

/** Blobs through PgBouncer in transaction mode. */
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#offersPgBouncer",
    disabledReason = PostgresServers.NO_PGBOUNCER)
@Planned(Planned.Needs.PGBOUNCER)
final class PgBouncerIT extends BlobContract implements AppendableContracts, HandleContract {
  PgBouncerIT() {
    super(ColumnSpec.appendable("{}"));
  }
}
