package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** Stores whose heads hold no bytes. */
@Planned(Planned.Needs.STORE)
final class AppendableWithoutTailIT extends BlobContract
    implements AppendableContracts, HandleContract {
  AppendableWithoutTailIT() {
    super(ColumnSpec.appendable("{\"tail\": 0}"));
  }
}
