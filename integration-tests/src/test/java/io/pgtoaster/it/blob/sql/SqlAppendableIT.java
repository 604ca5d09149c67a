package io.pgtoaster.it.blob.sql;

import io.pgtoaster.it.blob.contract.AppendContract;
import io.pgtoaster.it.blob.contract.BinaryContract;
import io.pgtoaster.it.blob.contract.CleanupContract;
import io.pgtoaster.it.blob.contract.ConcurrencyContract;
import io.pgtoaster.it.blob.contract.DamageContract;
import io.pgtoaster.it.blob.contract.FollowContract;
import io.pgtoaster.it.blob.contract.NoPayloadContract;
import io.pgtoaster.it.blob.contract.OverwriteContract;
import io.pgtoaster.it.blob.contract.OwnerRowContract;
import io.pgtoaster.it.blob.contract.PinnedContract;
import io.pgtoaster.it.blob.contract.ReadContract;
import io.pgtoaster.it.blob.contract.RetentionContract;
import io.pgtoaster.it.blob.contract.SealContract;
import io.pgtoaster.it.blob.contract.TokenContract;
import io.pgtoaster.it.blob.contract.TransactionContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.ContractSuite;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.SqlApi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** The appendable toaster through {@code pgtoaster.blob_append} and related functions. */
@Tag("ci")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
final class SqlAppendableIT extends ContractSuite<Fixture>
    implements AppendContract,
        ReadContract,
        OverwriteContract,
        TransactionContract,
        ConcurrencyContract,
        BinaryContract,
        TokenContract,
        SealContract,
        PinnedContract,
        RetentionContract,
        OwnerRowContract,
        FollowContract,
        CleanupContract,
        DamageContract,
        NoPayloadContract {
  SqlAppendableIT() {
    super(ColumnSpec.appendable("{}"), SqlApi::fixture);
  }
}
