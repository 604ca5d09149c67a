package io.pgtoaster;

import java.util.List;

/** Components as the methods of {@link GcReport}. */
record GcResult(
    List<GcItem> items, List<GcItem> kept, List<GcFailure> failures, boolean removed, long bytes)
    implements GcReport {
  GcResult {
    items = List.copyOf(items);
    kept = List.copyOf(kept);
    failures = List.copyOf(failures);
  }
}
