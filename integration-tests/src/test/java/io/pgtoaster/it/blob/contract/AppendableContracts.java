package io.pgtoaster.it.blob.contract;

/** What the appendable toaster does beyond what all do. */
public interface AppendableContracts
    extends CoreContracts,
        BinaryContract,
        TextContract.Malformed,
        TokenContract,
        SealContract,
        PinnedContract,
        OwnerRowContract,
        FollowContract,
        CleanupContract,
        HandleSqlContract,
        DamageContract,
        PartialFailureContract,
        NoPayloadContract {}
