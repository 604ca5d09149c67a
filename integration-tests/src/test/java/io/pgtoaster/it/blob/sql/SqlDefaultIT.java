package io.pgtoaster.it.blob.sql;

import io.pgtoaster.it.blob.contract.AppendContract;
import io.pgtoaster.it.blob.contract.BinaryContract;
import io.pgtoaster.it.blob.contract.ConcurrencyContract;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.blob.contract.OverwriteContract;
import io.pgtoaster.it.blob.contract.ReadContract;
import io.pgtoaster.it.blob.contract.TransactionContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.ContractSuite;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.SqlApi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** Ordinary bytea through {@code pgtoaster.blob_append} and related functions. */
@Tag("ci")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
final class SqlDefaultIT extends ContractSuite<Fixture>
    implements AppendContract,
        ReadContract,
        OverwriteContract,
        TransactionContract,
        ConcurrencyContract,
        BinaryContract,
        NoTokenContract {
  SqlDefaultIT() {
    super(ColumnSpec.attachedStock("bytea"), SqlApi::fixture);
  }
}
