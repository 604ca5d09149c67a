package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.DocumentSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** The keyed toaster with the smallest rows, so that everything splits. */
@MethodSource("io.pgtoaster.it.kit.Setting#allByOtherTurns")
final class KeyedSmallIT extends DocumentSuite implements DocumentContracts {
  KeyedSmallIT() {
    super(DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"));
  }
}
