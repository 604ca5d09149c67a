package io.pgtoaster.it;

/** What the appendable toaster does beyond what all do. */
interface AppendableContracts
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
