package io.pgtoaster;

import java.util.List;

/** What {@link Catalog#gc} found or removed. */
public sealed interface GcReport permits GarbageCollection.GcResult {
  /**
   * {@return the items found; if {@link #removed()}, exactly the items removed, even after
   * failures}
   */
  List<GcItem> items();

  /**
   * {@return documents that no row owns but that are kept because rows reference them in their
   * header: see {@code pgtoaster.repair}}
   */
  List<GcItem> kept();

  /** {@return stores that were not processed completely, and why; the next run tries them again} */
  List<GcFailure> failures();

  /** {@return whether the items were removed} */
  boolean removed();

  /** {@return sum of the items' bytes} */
  long bytes();
}
