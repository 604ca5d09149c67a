package io.pgtoaster;

import io.pgtoaster.error.PgToasterException;
import java.util.List;

/**
 * What {@link Catalog#gc} found or removed.
 *
 * @param items the items found; if {@link #removed()}, exactly the items removed, even after
 *     failures
 * @param kept documents that no row owns but that are kept because rows reference them in their
 *     header: see {@code pgtoaster.repair}
 * @param failures stores that were not processed completely, and why; the next run tries them again
 * @param removed whether the items were removed
 */
public record GcReport(List<Item> items, List<Item> kept, List<Failure> failures, boolean removed) {
  /**
   * A store that {@link Catalog#gc} could not process completely. {@link #items()} lists the items
   * that were removed before the failure.
   *
   * @param store number of the store
   * @param cause the cause, with the name of the column
   */
  public record Failure(int store, PgToasterException cause) {}

  /**
   * An item that {@link Catalog#gc} found.
   *
   * @param store number of the store
   * @param kind {@code blob} or {@code document}: no row references it; {@code garbage}: content
   *     that was released and is not deleted yet; {@code token}: writers of a blob that have
   *     stopped appending; {@code store}: its column no longer exists; {@code kept}: a document
   *     that a row references although no row owns it; toasters from other jars use other words
   * @param id id of the blob or document, or number of the store
   * @param bytes approximate number of bytes that it uses
   * @param description a human-readable description
   */
  public record Item(int store, String kind, long id, long bytes, String description) {}

  /** Returns the sum of the items' bytes. */
  public long bytes() {
    return items.stream().mapToLong(Item::bytes).sum();
  }
}
