package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** Ordinary jsonb, attached, with a UUID as key. */
@Planned(Planned.Needs.STOCK)
final class DefaultAttachedJsonbIT extends DocumentSuite implements DocumentContracts {
  DefaultAttachedJsonbIT() {
    super(DocumentSpec.attachedStock());
  }
}
