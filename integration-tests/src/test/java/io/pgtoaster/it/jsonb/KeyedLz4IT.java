package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.NeedsDistribution;
import io.pgtoaster.it.kit.Planned;

/** The keyed toaster with lz4. */
@NeedsDistribution
@Planned(Planned.Needs.LZ4_STORE)
final class KeyedLz4IT extends DocumentSuite implements DocumentContracts {
  KeyedLz4IT() {
    super(DocumentSpec.keyed("{\"compression\": \"lz4\"}"));
  }
}
