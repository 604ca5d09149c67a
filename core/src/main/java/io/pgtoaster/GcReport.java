package io.pgtoaster;

import java.util.List;

/**
 * What {@link Catalog#gc} found or removed.
 *
 * @param items what was found; after a removal only what was really removed
 * @param removed whether it is removed
 * @param bytes sum of the items' bytes
 */
public record GcReport(List<GcItem> items, boolean removed, long bytes) {
  /**
   * Copies the list.
   *
   * @param items as the component says
   * @param removed as the component says
   * @param bytes as the component says
   */
  public GcReport {
    items = List.copyOf(items);
  }
}
