package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** Stock bytea, not in the catalog. */
@Planned(Planned.Needs.STOCK)
final class DefaultByteaIT extends BlobContract
    implements CoreContracts, BinaryContract, TextContract.Malformed, NoTokenContract {
  DefaultByteaIT() {
    super(ColumnSpec.stock("bytea"));
  }
}
