package io.pgtoaster.it.jsonb;

/** What every JSON toaster must do. */
interface DocumentContracts
    extends DocumentReadContract,
        ManyDocumentsContract,
        DocumentEditContract,
        ConditionalEditContract,
        SetOptionsContract,
        TypedValuesContract,
        DocumentWholeContract,
        OddDocumentContract,
        MergePatchContract,
        JsonPatchContract,
        DocumentTransactionContract,
        DocumentBadInputContract,
        DocumentConcurrencyContract {}
