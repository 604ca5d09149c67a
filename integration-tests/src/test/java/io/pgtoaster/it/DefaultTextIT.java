package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** Stock text. */
@Planned(Planned.Needs.STOCK)
final class DefaultTextIT extends BlobContract implements CoreContracts, NoTokenContract {
  DefaultTextIT() {
    super(ColumnSpec.attachedStock("text"));
  }
}
