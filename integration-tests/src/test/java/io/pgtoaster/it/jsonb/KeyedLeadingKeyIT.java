package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Planned;

/** Stores of documents with a leading key column. */
@Planned(Planned.Needs.STORE)
final class KeyedLeadingKeyIT extends DocumentSuite implements DocumentContracts {
  KeyedLeadingKeyIT() {
    super(DocumentSpec.keyed("{\"leading_key\": \"tenant\"}", ColumnSpec.Key.TENANT));
  }
}
