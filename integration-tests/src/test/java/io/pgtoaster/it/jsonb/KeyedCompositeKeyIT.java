package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/**
 * The keyed toaster with a composite key, small rows, no compression, and an update of the owner's
 * row for each change.
 */
@Planned(Planned.Needs.STORE)
final class KeyedCompositeKeyIT extends DocumentSuite implements DocumentContracts {
  KeyedCompositeKeyIT() {
    super(
        DocumentSpec.keyed(
            "{\"row_budget\": 512, \"leaf_size\": 1024, \"compression\": \"none\", \"touch\": \"row\"}",
            ColumnSpec.Key.COMPOSITE));
  }
}
