package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.DocumentSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** The keyed toaster with lz4. */
@MethodSource("io.pgtoaster.it.kit.Setting#lz4ByBoth")
final class KeyedLz4IT extends DocumentSuite implements DocumentContracts {
  KeyedLz4IT() {
    super(DocumentSpec.keyed("{\"compression\": \"lz4\"}"));
  }
}
