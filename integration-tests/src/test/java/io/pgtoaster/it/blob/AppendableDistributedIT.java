package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.blob.contract.HandleContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** A distributed blob column, with statements that Citus can route. */
@Planned(Planned.Needs.DISTRIBUTED)
final class AppendableDistributedIT extends BlobContract
    implements AppendableContracts, HandleContract {
  AppendableDistributedIT() {
    super(ColumnSpec.appendable(ColumnSpec.DISTRIBUTED));
  }
}
