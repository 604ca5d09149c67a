package io.pgtoaster.it.jsonb;

/** What every JSON toaster must do. */
interface DocumentContracts
    extends DocumentReadContract,
        DocumentEditContract,
        SetOptionsContract,
        DocumentWholeContract,
        OddDocumentContract,
        MergePatchContract,
        JsonPatchContract,
        DocumentTransactionContract,
        DocumentBadInputContract,
        DocumentConcurrencyContract {}
