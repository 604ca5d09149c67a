package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.ExtraState;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.engine.spi.EntityEntry;
import org.jspecify.annotations.Nullable;

/** The stored state of the mapped objects of one entity, kept as long as its session manages it. */
final class Snapshots extends ExtraState {
  private final Map<String, Snapshot> byProperty = new HashMap<>();

  static Snapshots of(EntityEntry entry) {
    Snapshots snapshots = entry.getExtraState(Snapshots.class);
    return snapshots == null ? add(entry, new Snapshots()) : snapshots;
  }

  @Nullable Snapshot get(String property) {
    return byProperty.get(property);
  }

  void put(String property, Snapshot snapshot) {
    byProperty.put(property, snapshot);
  }
}
