package io.pgtoaster.it.jsonb.contract;

/** What every JSON toaster must do. */
public interface DocumentContracts
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
