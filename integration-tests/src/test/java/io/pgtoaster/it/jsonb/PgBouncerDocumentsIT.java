package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;
import io.pgtoaster.it.kit.PostgresServers;
import org.junit.jupiter.api.condition.EnabledIf;

/** Documents through PgBouncer in transaction mode. */
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#offersPgBouncer",
    disabledReason = PostgresServers.NO_PGBOUNCER)
@Planned(Planned.Needs.PGBOUNCER)
final class PgBouncerDocumentsIT extends DocumentSuite implements DocumentContracts {
  PgBouncerDocumentsIT() {
    super(DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"));
  }
}
