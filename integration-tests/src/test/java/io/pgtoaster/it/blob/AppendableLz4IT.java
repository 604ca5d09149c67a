package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.NeedsDistribution;
import io.pgtoaster.it.kit.Planned;

@NeedsDistribution
@Planned(Planned.Needs.LZ4_STORE)
final class AppendableLz4IT extends BlobContract implements AppendableContracts {
  AppendableLz4IT() {
    super(ColumnSpec.appendable("{\"compression\": \"lz4\"}"));
  }
}
