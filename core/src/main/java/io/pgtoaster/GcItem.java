package io.pgtoaster;

/**
 * Something that {@link Catalog#gc} found.
 *
 * @param store number of the store
 * @param kind {@code blob} or {@code document}: no row names it; {@code garbage}: content released
 *     and not swept yet; {@code token}: writers of a blob that fell silent; {@code store}: its
 *     column is gone; {@code kept}: a document that a row names though none owns it; of a toaster
 *     from elsewhere a word of its own
 * @param id of the blob or document, or number of the store
 * @param bytes that it holds, about
 * @param description for a human reader
 */
public record GcItem(int store, String kind, long id, long bytes, String description) {}
