package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** Ordinary jsonb, not in the catalog. */
@Planned(Planned.Needs.STOCK)
final class DefaultJsonbIT extends DocumentSuite implements DocumentContracts {
  DefaultJsonbIT() {
    super(DocumentSpec.stock());
  }
}
