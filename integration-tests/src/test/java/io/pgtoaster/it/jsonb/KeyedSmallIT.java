package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** The keyed toaster with a UUID as key and the smallest rows, so that everything splits. */
@Planned(Planned.Needs.STORE)
final class KeyedSmallIT extends DocumentSuite implements DocumentContracts {
  KeyedSmallIT() {
    super(
        DocumentSpec.keyed(
            "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}", ColumnSpec.Key.UUID));
  }
}
