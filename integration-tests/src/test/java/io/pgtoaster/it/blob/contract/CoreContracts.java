package io.pgtoaster.it.blob.contract;

/** The contracts that every blob toaster must fulfil. */
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
