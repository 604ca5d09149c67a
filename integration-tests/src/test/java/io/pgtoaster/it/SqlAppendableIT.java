package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.ContractSuite;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.SqlApi;
import org.junit.jupiter.params.provider.MethodSource;

/** The appendable toaster by {@code pgtoaster.blob_append} and its like. */
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
        OwnerRowContract,
        FollowContract,
        CleanupContract,
        DamageContract,
        NoPayloadContract {
  SqlAppendableIT() {
    super(ColumnSpec.appendable("{}"), SqlApi::fixture);
  }
}
