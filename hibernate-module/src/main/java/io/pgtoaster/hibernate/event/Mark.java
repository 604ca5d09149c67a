package io.pgtoaster.hibernate.event;

import io.pgtoaster.hibernate.internal.ExtraState;
import java.util.BitSet;
import org.hibernate.engine.spi.EntityEntry;
import org.jspecify.annotations.Nullable;

/** Marks the entry of an entity whose content must be written at the end of the flush. */
final class Mark extends ExtraState {
  boolean changed;

  /** Indexes of properties whose content has changed in an existing row. */
  BitSet updated = new BitSet();

  /** True if Hibernate has scheduled an update of the entity. */
  boolean scheduled;

  boolean increment;
  @Nullable Object version;

  /** Previous values of the attributes; Hibernate discards them when it updates the row. */
  @Nullable Object[] before = {};

  static Mark of(EntityEntry entry) {
    Mark mark = entry.getExtraState(Mark.class);
    return mark == null ? add(entry, new Mark()) : mark;
  }
}
