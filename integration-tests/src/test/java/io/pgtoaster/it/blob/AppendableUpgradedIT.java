package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;
import org.junit.jupiter.api.Tag;

/** A store that was attached with the previous version of the catalog. */
@Tag("ci")
@Planned(Planned.Needs.NEWEST)
final class AppendableUpgradedIT extends BlobContract implements AppendableContracts {
  AppendableUpgradedIT() {
    super(ColumnSpec.appendable("{}").inOlderCatalog());
  }
}
