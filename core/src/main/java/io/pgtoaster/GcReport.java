package io.pgtoaster;

import java.util.List;

/** What {@link Catalog#gc} found or removed. */
public sealed interface GcReport permits GarbageCollection.GcResult {
  /**
   * {@return what was found; after a removal only what was really removed, also where there are
   * failures}
   */
  List<GcItem> items();

  /**
   * {@return documents that no row owns but that stay, because rows name them by their header: see
   * {@code pgtoaster.repair}}
   */
  List<GcItem> kept();

  /** {@return stores that were left, and why; the next run tries them again} */
  List<GcFailure> failures();

  /** {@return whether the items are removed} */
  boolean removed();

  /** {@return sum of the items' bytes} */
  long bytes();
}
