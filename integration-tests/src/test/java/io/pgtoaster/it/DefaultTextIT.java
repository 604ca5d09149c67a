package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stock text. */
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
final class DefaultTextIT extends BlobContract implements CoreContracts, NoTokenContract {
  DefaultTextIT() {
    super(ColumnSpec.attachedStock("text"));
  }
}
