package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.ExtraState;
import io.pgtoaster.hibernate.internal.Slot;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.engine.spi.EntityEntry;
import org.jspecify.annotations.Nullable;

/** The stored state of the mapped objects of one entity, kept as long as its session manages it. */
final class Snapshots extends ExtraState {
  private final Map<String, Snapshot> byProperty = new HashMap<>();

  private static @Nullable Snapshots of(Slot slot) {
    EntityEntry entry = slot.owner().entry();
    Snapshots snapshots = entry == null ? null : entry.getExtraState(Snapshots.class);
    return entry == null || snapshots != null ? snapshots : add(entry, new Snapshots());
  }

  /** Returns the snapshot of an attribute; null if the session does not know one. */
  static @Nullable Snapshot get(Slot slot) {
    Snapshots snapshots = of(slot);
    return snapshots == null ? null : snapshots.byProperty.get(slot.attribute().property());
  }

  /** Keeps a snapshot, if the session manages the entity. */
  static void put(Slot slot, Snapshot snapshot) {
    Snapshots snapshots = of(slot);
    if (snapshots != null) {
      snapshots.byProperty.put(slot.attribute().property(), snapshot);
    }
  }
}
