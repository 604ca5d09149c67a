package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores as they are where WAL is logical. */
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
final class AppendableShortTailIT extends BlobContract implements AppendableContracts {
  AppendableShortTailIT() {
    super(ColumnSpec.appendable("{\"tail\": 96, \"chunk_size\": 1984}"));
  }
}
