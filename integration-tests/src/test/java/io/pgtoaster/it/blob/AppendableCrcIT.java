package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.blob.contract.DamageContract;
import io.pgtoaster.it.blob.contract.HandleContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** Stores with checksums, which have no tail. */
@Planned(Planned.Needs.STORE)
final class AppendableCrcIT extends BlobContract
    implements AppendableContracts, HandleContract, DamageContract.Checksummed {
  AppendableCrcIT() {
    super(ColumnSpec.appendable("{\"crc32c\": true}", ColumnSpec.Key.UUID));
  }
}
