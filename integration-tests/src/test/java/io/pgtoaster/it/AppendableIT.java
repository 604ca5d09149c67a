package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;

/** The appendable toaster as it is by default. */
final class AppendableIT extends BlobContract implements AppendableContracts {
  AppendableIT() {
    super(ColumnSpec.appendable("{}"));
  }
}
