package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stock bytea, not in the catalog. */
@MethodSource("io.pgtoaster.it.kit.Setting#all")
final class DefaultByteaIT extends BlobContract
    implements CoreContracts, BinaryContract, TextContract.Malformed, NoTokenContract {
  DefaultByteaIT() {
    super(ColumnSpec.stock("bytea"));
  }
}
