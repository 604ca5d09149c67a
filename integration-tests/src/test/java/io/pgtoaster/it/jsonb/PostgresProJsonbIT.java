package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.DocumentSpec;
import org.junit.jupiter.params.provider.MethodSource;

/** Postgres Pro's jsonb_toaster. Runs only if a server is given; see PostgresProByteaIT. */
@MethodSource("io.pgtoaster.it.kit.Setting#postgresPro")
final class PostgresProJsonbIT extends DocumentSuite implements DocumentContracts {
  PostgresProJsonbIT() {
    super(DocumentSpec.postgresPro());
  }
}
