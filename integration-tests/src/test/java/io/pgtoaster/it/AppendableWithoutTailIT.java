package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores whose heads hold no bytes. */
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
final class AppendableWithoutTailIT extends BlobContract
    implements AppendableContracts, HandleContract {
  AppendableWithoutTailIT() {
    super(ColumnSpec.appendable("{\"tail\": 0}"));
  }
}
