package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** The keyed toaster that updates the owner's row with each change, over a UUID. */
@Planned(Planned.Needs.STORE)
final class KeyedTouchIT extends DocumentSuite implements DocumentContracts {
  KeyedTouchIT() {
    super(
        DocumentSpec.keyed(
            "{\"row_budget\": 256, \"leaf_size\": 512, \"touch\": \"row\"}", ColumnSpec.Key.UUID));
  }
}
