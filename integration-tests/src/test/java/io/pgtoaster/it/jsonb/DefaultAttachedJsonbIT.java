package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.DocumentSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Plain jsonb, attached, with a UUID as key. */
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
final class DefaultAttachedJsonbIT extends DocumentSuite implements DocumentContracts {
  DefaultAttachedJsonbIT() {
    super(DocumentSpec.attachedStock());
  }
}
