package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.BinaryContract;
import io.pgtoaster.it.blob.contract.CoreContracts;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.blob.contract.TextContract;
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
