package io.pgtoaster.hibernate.internal;

import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityEntryExtraState;
import org.jspecify.annotations.Nullable;

/**
 * State that is kept with an entity's entry while its session manages the entity. Each state is a
 * link in a chain.
 */
public abstract class ExtraState implements EntityEntryExtraState {
  private @Nullable EntityEntryExtraState next;

  protected ExtraState() {}

  /** Adds a link to an entry, and returns it. */
  protected static <T extends ExtraState> T add(EntityEntry entry, T state) {
    entry.addExtraState(state);
    return state;
  }

  @Override
  public final void addExtraState(EntityEntryExtraState state) {
    if (next == null) {
      next = state;
    } else {
      next.addExtraState(state);
    }
  }

  @Override
  public final <T extends EntityEntryExtraState> @Nullable T getExtraState(Class<T> type) {
    if (next == null) {
      return null;
    }
    return type.isInstance(next) ? type.cast(next) : next.getExtraState(type);
  }
}
