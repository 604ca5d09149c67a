package io.pgtoaster.hibernate.event;

import io.pgtoaster.hibernate.internal.ContentKind.Work;
import io.pgtoaster.hibernate.internal.ExtraState;
import io.pgtoaster.hibernate.internal.Slot;
import java.util.BitSet;
import java.util.List;
import org.hibernate.engine.spi.EntityEntry;
import org.jspecify.annotations.Nullable;

/** The content of an entity that must be written at the end of the flush. */
final class Mark extends ExtraState {
  /** A change of one attribute, and the task that writes it. */
  record Change(Slot slot, @Nullable Object value, Work work) {}

  /** The changes; empty if there is nothing to write. */
  List<Change> changes = List.of();

  /** Indexes of properties whose content has changed in an existing row. */
  BitSet updated = new BitSet();

  /** True if Hibernate has scheduled an update of the entity. */
  boolean scheduled;

  boolean increment;
  @Nullable Object version;

  static Mark of(EntityEntry entry) {
    Mark mark = entry.getExtraState(Mark.class);
    return mark == null ? add(entry, new Mark()) : mark;
  }
}
