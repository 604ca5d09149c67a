package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** The appendable toaster as it is by default. */
@MethodSource("io.pgtoaster.it.kit.Setting#allByTurns")
final class AppendableIT extends BlobContract implements AppendableContracts, HandleContract {
  AppendableIT() {
    super(ColumnSpec.appendable("{}"));
  }
}
