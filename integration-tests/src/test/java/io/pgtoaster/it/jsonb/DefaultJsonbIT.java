package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.DocumentSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Plain jsonb, not in the catalog. */
@MethodSource("io.pgtoaster.it.kit.Setting#all")
final class DefaultJsonbIT extends DocumentSuite implements DocumentContracts {
  DefaultJsonbIT() {
    super(DocumentSpec.stock());
  }
}
