package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.blob.contract.HandleContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/**
 * Stores that compress with pglz. The tail has its default size for {@code wal_level = logical}.
 */
@Planned(Planned.Needs.STORE)
final class AppendablePglzIT extends BlobContract implements AppendableContracts, HandleContract {
  AppendablePglzIT() {
    super(
        ColumnSpec.appendable(
            "{\"compression\": \"pglz\", \"tail\": 96}", ColumnSpec.Key.COMPOSITE));
  }
}
