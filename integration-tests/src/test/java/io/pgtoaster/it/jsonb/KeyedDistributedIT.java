package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** A distributed document column, with statements that Citus can route. */
@Planned(Planned.Needs.DISTRIBUTED)
final class KeyedDistributedIT extends DocumentSuite implements DocumentContracts {
  KeyedDistributedIT() {
    super(DocumentSpec.keyed(ColumnSpec.DISTRIBUTED));
  }
}
