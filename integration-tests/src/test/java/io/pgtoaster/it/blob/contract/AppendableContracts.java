package io.pgtoaster.it.blob.contract;

/** The contracts that only the appendable toaster fulfils. */
public interface AppendableContracts
    extends CoreContracts,
        BinaryContract,
        TextContract.Malformed,
        TokenContract,
        SealContract,
        PinnedContract,
        RetentionContract,
        OwnerRowContract,
        FollowContract,
        CleanupContract,
        HandleSqlContract,
        DamageContract,
        PartialFailureContract,
        NoPayloadContract {}
