package io.pgtoaster.it.jsonb.contract;

/** The contracts that every JSON toaster must fulfil. */
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
