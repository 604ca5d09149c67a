package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** A document column that is distributed by rows, so each statement names the tenant. */
@Planned(Planned.Needs.DISTRIBUTED)
final class KeyedSpreadIT extends DocumentSuite implements DocumentContracts {
  KeyedSpreadIT() {
    super(DocumentSpec.keyed(ColumnSpec.SPREAD, ColumnSpec.Key.TENANT));
  }
}
