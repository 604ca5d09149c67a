package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.CoreContracts;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;
import org.junit.jupiter.api.Tag;

/** Ordinary text. */
@Tag("ci")
@Planned(Planned.Needs.STOCK)
final class DefaultTextIT extends BlobContract implements CoreContracts, NoTokenContract {
  DefaultTextIT() {
    super(ColumnSpec.attachedStock("text"));
  }
}
