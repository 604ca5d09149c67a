package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that compress by lz4. */
@MethodSource("io.pgtoaster.it.kit.Setting#lz4")
final class AppendableLz4IT extends BlobContract implements AppendableContracts {
  AppendableLz4IT() {
    super(ColumnSpec.appendable("{\"compression\": \"lz4\"}"));
  }
}
