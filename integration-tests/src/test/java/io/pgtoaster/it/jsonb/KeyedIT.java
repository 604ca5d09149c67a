package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.DocumentSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** The keyed toaster as it is by default. */
@MethodSource("io.pgtoaster.it.kit.Setting#allByTurns")
final class KeyedIT extends DocumentSuite implements DocumentContracts {
  KeyedIT() {
    super(DocumentSpec.keyed("{}"));
  }
}
