package io.pgtoaster;

import java.util.List;

/**
 * What {@link Catalog#gc} found or removed.
 *
 * @param items what was found; after a removal only what was really removed, also where there are
 *     failures
 * @param kept documents that no row owns but that stay, because rows name them by their header: see
 *     {@code pgtoaster.repair}
 * @param failures stores that were left, and why; the next run tries them again
 * @param removed whether the items are removed
 * @param bytes sum of the items' bytes
 */
public record GcReport(
    List<GcItem> items, List<GcItem> kept, List<GcFailure> failures, boolean removed, long bytes) {
  /**
   * Copies the lists.
   *
   * @param items as the component says
   * @param kept as the component says
   * @param failures as the component says
   * @param removed as the component says
   * @param bytes as the component says
   */
  public GcReport {
    items = List.copyOf(items);
    kept = List.copyOf(kept);
    failures = List.copyOf(failures);
  }
}
