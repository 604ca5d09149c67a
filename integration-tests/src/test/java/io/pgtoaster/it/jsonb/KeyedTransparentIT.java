package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.Planned;

/** The keyed toaster in a database in which plain SQL sees whole documents. */
@NeedsExtension
@Planned(Planned.Needs.TRANSPARENT)
final class KeyedTransparentIT extends DocumentSuite implements DocumentContracts {
  KeyedTransparentIT() {
    super(DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"));
  }
}
