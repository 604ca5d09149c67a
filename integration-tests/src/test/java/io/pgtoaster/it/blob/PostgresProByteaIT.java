package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.BinaryContract;
import io.pgtoaster.it.blob.contract.CoreContracts;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.blob.contract.TextContract;
import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Postgres Pro's bytea_toaster. Runs only if a server is given; see docs/postgrespro.md. */
@MethodSource("io.pgtoaster.it.kit.Setting#postgresPro")
final class PostgresProByteaIT extends BlobContract
    implements CoreContracts, BinaryContract, TextContract.Malformed, NoTokenContract {
  PostgresProByteaIT() {
    super(ColumnSpec.postgresPro());
  }
}
