package io.pgtoaster.it;

/** What every blob toaster must do. */
interface CoreContracts
    extends AppendContract,
        AtomicStreamContract,
        ReadContract,
        ViewContract,
        TextContract,
        OverwriteContract,
        TransactionContract,
        ConcurrencyContract,
        CommittingStreamContract,
        WrongKeyContract {}
