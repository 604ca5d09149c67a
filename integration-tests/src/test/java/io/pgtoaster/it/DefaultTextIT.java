package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Stock text. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
final class DefaultTextIT extends BlobContract implements CoreContracts, NoTokenContract {
  DefaultTextIT() {
    super(ColumnSpec.attachedStock("text"));
  }
}
