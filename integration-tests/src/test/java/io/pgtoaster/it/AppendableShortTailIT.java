package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;

/** Stores as they are where WAL is logical. */
@Planned(Planned.Needs.STORE)
final class AppendableShortTailIT extends BlobContract implements AppendableContracts {
  AppendableShortTailIT() {
    super(ColumnSpec.appendable("{\"tail\": 96, \"chunk_size\": 1984}"));
  }
}
