package io.pgtoaster;

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
public record GcReport(
    List<GcItem> items, List<GcItem> kept, List<GcFailure> failures, boolean removed) {
  /**
   * Returns the sum of the items' bytes.
   *
   * @return bytes
   */
  public long bytes() {
    return items.stream().mapToLong(GcItem::bytes).sum();
  }
}
