package io.pgtoaster.it.blob.contract;

/** The contracts of the appendable toaster that other toasters do not fulfil. */
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
