package io.pgtoaster.hibernate.event;

import io.pgtoaster.hibernate.internal.ExtraState;
import java.util.BitSet;
import org.hibernate.engine.spi.EntityEntry;
import org.jspecify.annotations.Nullable;

/** Marks the entry of an entity whose content is to be written at the end of the flush. */
final class Mark extends ExtraState {
  boolean changed;

  /** Indexes of properties whose content is changed in a row that is there. */
  BitSet updated = new BitSet();

  /** Whether Hibernate has an update of the entity to execute. */
  boolean scheduled;

  boolean increment;
  @Nullable Object version;

  /** What the attributes had before; Hibernate forgets it when it updates the row. */
  @Nullable Object[] before = {};

  static Mark of(EntityEntry entry) {
    Mark mark = entry.getExtraState(Mark.class);
    return mark == null ? add(entry, new Mark()) : mark;
  }
}
