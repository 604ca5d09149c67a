package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** A blob column that is distributed by rows, so each statement names the tenant. */
@Planned(Planned.Needs.DISTRIBUTED)
final class AppendableSpreadIT extends BlobContract implements AppendableContracts {
  AppendableSpreadIT() {
    super(ColumnSpec.appendable(ColumnSpec.SPREAD, ColumnSpec.Key.TENANT));
  }
}
