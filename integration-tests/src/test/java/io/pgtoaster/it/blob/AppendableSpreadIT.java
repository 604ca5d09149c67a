package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** A column of blobs that is distributed by its rows: each statement names the tenant. */
@Planned(Planned.Needs.DISTRIBUTED)
final class AppendableSpreadIT extends BlobContract implements AppendableContracts {
  AppendableSpreadIT() {
    super(ColumnSpec.appendable(ColumnSpec.SPREAD, ColumnSpec.Key.TENANT));
  }
}
