package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.blob.contract.HandleContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** The appendable toaster with default options. */
@Planned(Planned.Needs.STORE)
final class AppendableIT extends BlobContract implements AppendableContracts, HandleContract {
  AppendableIT() {
    super(ColumnSpec.appendable("{}"));
  }
}
