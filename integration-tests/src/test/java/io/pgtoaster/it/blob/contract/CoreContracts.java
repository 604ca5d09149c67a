package io.pgtoaster.it.blob.contract;

/** What every blob toaster must do. */
public interface CoreContracts
    extends AppendContract,
        BatchContract,
        CombiningContract,
        AtomicStreamContract,
        ReadContract,
        ManyBlobsContract,
        ViewContract,
        TextContract,
        OverwriteContract,
        TransactionContract,
        ConcurrencyContract,
        CommittingStreamContract,
        WrongKeyContract {}
