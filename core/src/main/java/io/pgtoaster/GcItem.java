package io.pgtoaster;

/**
 * An item that {@link Catalog#gc} found.
 *
 * @param store number of the store
 * @param kind {@code blob} or {@code document}: no row references it; {@code garbage}: content that
 *     was released and is not deleted yet; {@code token}: writers of a blob that have stopped
 *     appending; {@code store}: its column no longer exists; {@code kept}: a document that a row
 *     references although no row owns it; toasters from other jars use other words
 * @param id id of the blob or document, or number of the store
 * @param bytes approximate number of bytes that it uses
 * @param description a human-readable description
 */
public record GcItem(int store, String kind, long id, long bytes, String description) {}
