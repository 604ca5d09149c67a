package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores with checksums. */
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
final class AppendableCrcIT extends BlobContract
    implements AppendableContracts, HandleContract, DamageContract.Checksummed {
  AppendableCrcIT() {
    super(ColumnSpec.appendable("{\"crc32c\": true}", ColumnSpec.Key.UUID));
  }
}
