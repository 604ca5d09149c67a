package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.blob.contract.HandleContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** Stores that compress by pglz, with a tail as it is where WAL is logical. */
@Planned(Planned.Needs.STORE)
final class AppendablePglzIT extends BlobContract implements AppendableContracts, HandleContract {
  AppendablePglzIT() {
    super(
        ColumnSpec.appendable(
            "{\"compression\": \"pglz\", \"tail\": 96}", ColumnSpec.Key.COMPOSITE));
  }
}
