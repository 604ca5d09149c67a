package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;

/** Stock bytea, not in the catalog. */
final class DefaultByteaIT extends BlobContract implements CoreContracts, BinaryContract, TextContract.Malformed, NoTokenContract {
  DefaultByteaIT() {
    super(ColumnSpec.stock("bytea"));
  }
}
