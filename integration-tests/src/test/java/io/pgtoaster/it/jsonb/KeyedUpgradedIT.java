package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;
import org.junit.jupiter.api.Tag;

/** A store that was attached with the previous version of the catalog. */
@Tag("ci")
@Planned(Planned.Needs.NEWEST)
final class KeyedUpgradedIT extends DocumentSuite implements DocumentContracts {
  KeyedUpgradedIT() {
    super(DocumentSpec.keyed("{}").inOlderCatalog());
  }
}
