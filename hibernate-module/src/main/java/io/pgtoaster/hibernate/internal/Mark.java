package io.pgtoaster.hibernate.internal;

import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityEntryExtraState;
import org.jspecify.annotations.Nullable;

/** Marks the entry of an entity whose content is to be written at the end of the flush. */
final class Mark implements EntityEntryExtraState {
  boolean changed;
  boolean increment;
  @Nullable Object version;

  /** What the attributes had before; Hibernate forgets it when it updates the row. */
  @Nullable Object[] before = {};

  private @Nullable EntityEntryExtraState next;

  static Mark of(EntityEntry entry) {
    Mark mark = entry.getExtraState(Mark.class);
    if (mark == null) {
      mark = new Mark();
      entry.addExtraState(mark);
    }
    return mark;
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
