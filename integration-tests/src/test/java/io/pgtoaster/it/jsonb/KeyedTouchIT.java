package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** The keyed toaster that updates the owner's row with each change, over a UUID. */
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
final class KeyedTouchIT extends DocumentSuite implements DocumentContracts {
  KeyedTouchIT() {
    super(
        DocumentSpec.keyed(
            "{\"row_budget\": 256, \"leaf_size\": 512, \"touch\": \"row\"}", ColumnSpec.Key.UUID));
  }
}
