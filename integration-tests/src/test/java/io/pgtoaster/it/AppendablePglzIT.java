package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that compress by pglz. */
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
final class AppendablePglzIT extends BlobContract implements AppendableContracts, HandleContract {
  AppendablePglzIT() {
    super(ColumnSpec.appendable("{\"compression\": \"pglz\"}", ColumnSpec.Key.COMPOSITE));
  }
}
