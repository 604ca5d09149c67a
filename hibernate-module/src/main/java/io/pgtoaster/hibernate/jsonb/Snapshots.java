package io.pgtoaster.hibernate.jsonb;

import java.util.HashMap;
import java.util.Map;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityEntryExtraState;
import org.jspecify.annotations.Nullable;

/** What is stored of the mapped objects of one entity, as long as its session manages it. */
final class Snapshots implements EntityEntryExtraState {
  private final Map<String, Snapshot> byProperty = new HashMap<>();
  private @Nullable EntityEntryExtraState next;

  static Snapshots of(EntityEntry entry) {
    Snapshots snapshots = entry.getExtraState(Snapshots.class);
    if (snapshots == null) {
      snapshots = new Snapshots();
      entry.addExtraState(snapshots);
    }
    return snapshots;
  }

  @Nullable Snapshot get(String property) {
    return byProperty.get(property);
  }

  void put(String property, Snapshot snapshot) {
    byProperty.put(property, snapshot);
  }

  @Override
  public void addExtraState(EntityEntryExtraState state) {
    if (next == null) {
      next = state;
    } else {
      next.addExtraState(state);
    }
  }

  @Override
  public <T extends EntityEntryExtraState> @Nullable T getExtraState(Class<T> type) {
    if (next == null) {
      return null;
    }
    return type.isInstance(next) ? type.cast(next) : next.getExtraState(type);
  }
}
