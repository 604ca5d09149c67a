package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores with a leading key column. */
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
final class AppendableLeadingKeyIT extends BlobContract implements AppendableContracts {
  AppendableLeadingKeyIT() {
    super(ColumnSpec.appendable("{\"leading_key\": \"tenant\"}", ColumnSpec.Key.TENANT));
  }
}
