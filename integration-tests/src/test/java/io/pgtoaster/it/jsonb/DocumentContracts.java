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
        EdgeCaseDocumentContract,
        MergePatchContract,
        JsonPatchContract,
        DocumentTransactionContract,
        DocumentBadInputContract,
        DocumentConcurrencyContract {}
