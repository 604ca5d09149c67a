package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** The keyed toaster with default options. */
@Planned(Planned.Needs.STORE)
final class KeyedIT extends DocumentSuite implements DocumentContracts {
  KeyedIT() {
    super(DocumentSpec.keyed("{}"));
  }
}
