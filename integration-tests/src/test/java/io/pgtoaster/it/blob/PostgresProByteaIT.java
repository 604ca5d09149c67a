package io.pgtoaster.it.blob;

import io.pgtoaster.it.blob.contract.BinaryContract;
import io.pgtoaster.it.blob.contract.CoreContracts;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.blob.contract.TextContract;
import io.pgtoaster.it.kit.ColumnSpec;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Postgres Pro's bytea_toaster (docs/postgrespro.md). Runs only if a server is given, like the
 * other tests of that server.
 *
 * <p>Build the branch jsonb_toaster of postgrespro/postgres like any PostgreSQL, with its
 * contrib/bytea_toaster and contrib/jsonb_toaster. Start it with {@code max_connections = 200} and
 * trust for local connections, and name a superuser in the URL:
 *
 * <pre>{@code
 * mvn verify -pl integration-tests -am -Dit.test='PostgresPro*IT' -Dtest=None \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false \
 *     -Dtest.forks=1 \
 *     -Dpgtoaster.test.postgrespro.url='jdbc:postgresql://127.0.0.1:5499/postgres?user=postgres'
 * }</pre>
 *
 * <p>Use only one JVM: each drops the databases of earlier runs (pgtoaster_test_…) when it starts.
 */
@MethodSource("io.pgtoaster.it.kit.Setting#postgresPro")
final class PostgresProByteaIT extends BlobContract
    implements CoreContracts, BinaryContract, TextContract.Malformed, NoTokenContract {
  PostgresProByteaIT() {
    super(ColumnSpec.postgresPro());
  }
}
