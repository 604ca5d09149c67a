package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** The keyed toaster with the smallest rows, so that everything splits, over a UUID. */
@Planned(Planned.Needs.STORE)
final class KeyedSmallIT extends DocumentSuite implements DocumentContracts {
  KeyedSmallIT() {
    super(
        DocumentSpec.keyed(
            "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}", ColumnSpec.Key.UUID));
  }
}
