package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.CoreContracts;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** Stock text. */
@Planned(Planned.Needs.STOCK)
final class DefaultTextIT extends BlobContract implements CoreContracts, NoTokenContract {
  DefaultTextIT() {
    super(ColumnSpec.attachedStock("text"));
  }
}
