package io.pgtoaster.hibernate.event;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.event.Mark.Change;
import io.pgtoaster.hibernate.internal.Appends;
import io.pgtoaster.hibernate.internal.ContentKind.Work;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.hibernate.internal.Slot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.DirtyCheckEvent;
import org.hibernate.event.spi.DirtyCheckEventListener;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.FlushEntityEventListener;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Writes changed content at the end of a flush. Runs after Hibernate's own listeners, when its
 * statements have been executed. At that time, inserted rows exist and deleted rows do not.
 */
final class FlushListener
    implements FlushEntityEventListener,
        FlushEventListener,
        AutoFlushEventListener,
        DirtyCheckEventListener {
  private final Contents contents;

  FlushListener(Contents contents) {
    this.contents = contents;
  }

  @Override
  public void onFlushEntity(FlushEntityEvent event) {
    look(event.getSession(), event.getEntityEntry(), event.getEntity());
  }

  /** Finds changed content and marks it to be written. Returns true if there is any. */
  boolean look(EventSource session, EntityEntry entry, Object entity) {
    if (entry.getStatus() != Status.MANAGED || !hasContent(entry.getPersister())) {
      return false;
    }
    boolean exists = entry.isExistsInDatabase();
    boolean increment = false;
    BitSet updated = new BitSet();
    List<Change> changes = new ArrayList<>();
    for (Slot slot : contents.slots(Owner.of(session, entity, entry))) {
      Object now = slot.value();
      if (now == Slot.UNFETCHED) {
        continue;
      }
      Object loaded = slot.loaded();
      if (now != null && (now != loaded || !exists)) {
        // If the entity is about to be inserted, the INSERT uses the loaded state.
        now = slot.give(now, entry.getLoadedState());
        slot.kind().bind(slot, now);
      }
      if (!exists) {
        // The INSERT writes the value.
        continue;
      }
      Work work = slot.kind().change(slot, loaded, now);
      if (work != null) {
        changes.add(new Change(slot, now, work));
        if (slot.kind().isUpdate(now)) {
          updated.set(slot.index());
          increment |= slot.attribute().optimisticLocked();
        }
      } else if (now != null && now != loaded) {
        slot.kind().unchanged(slot, now);
      }
    }
    boolean changed = !changes.isEmpty();
    Mark mark = changed ? Mark.of(entry) : entry.getExtraState(Mark.class);
    if (mark != null) {
      mark.changes = changes;
      mark.scheduled = false;
      mark.updated = updated;
      mark.increment = increment && entry.getPersister().isVersioned();
      mark.version = entry.getVersion();
    }
    return changed;
  }

  /**
   * Checks again after callbacks or listeners have run. They may set content in the entity or in
   * the state of its update.
   *
   * @param state state of the update
   * @param before a copy of the state from before the calls
   */
  void lookAgain(
      EventSource session,
      EntityEntry entry,
      Object entity,
      @Nullable Object[] state,
      @Nullable Object[] before) {
    if (entry.getStatus() != Status.MANAGED) {
      return;
    }
    List<Slot> slots = contents.slots(Owner.of(session, entity, entry));
    for (Slot slot : slots) {
      Object given = state[slot.index()];
      if (given != before[slot.index()] && given != Slot.UNFETCHED) {
        slot.value(given);
      }
    }
    look(session, entry, entity);
    slots.forEach(slot -> state[slot.index()] = slot.value());
  }

  /** Returns true if the entity type has content. */
  boolean hasContent(EntityPersister persister) {
    return contents.has(persister);
  }

  /** Returns the previous state for listeners, with the old values of changed content. */
  @Nullable Object[] before(FlushEntityEvent event, BitSet updated, @Nullable Object[] previous) {
    @Nullable Object[] before = previous.clone();
    for (Slot slot :
        contents.slots(Owner.of(event.getSession(), event.getEntity(), event.getEntityEntry()))) {
      if (updated.get(slot.index())) {
        before[slot.index()] = slot.kind().before(slot, slot.loaded(), slot.value());
      }
    }
    return before;
  }

  @Override
  public void onFlush(FlushEvent event) {
    writeAll(event.getSession(), true);
  }

  @Override
  public void onAutoFlush(AutoFlushEvent event) {
    // If Hibernate found nothing to execute for the tables of the query, all rows exist already.
    writeAll(event.getSession(), event.isFlushRequired());
  }

  @Override
  public void onDirtyCheck(DirtyCheckEvent event) {
    if (!event.isDirty() && Contents.managed(event.getSession()).anyMatch(FlushListener::isDirty)) {
      event.setDirty(true);
    }
  }

  private static boolean isDirty(Slot slot) {
    Object now = slot.value();
    return requireNonNull(slot.owner().entry()).getStatus() == Status.MANAGED
        && now != Slot.UNFETCHED
        && slot.kind().change(slot, slot.loaded(), now) != null;
  }

  private static void writeAll(EventSource session, boolean executed) {
    Appends appends = new Appends();
    for (var managed : session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
      EntityEntry entry = managed.getValue();
      Mark mark = entry.getExtraState(Mark.class);
      if (mark != null && !mark.changes.isEmpty() && entry.isExistsInDatabase()) {
        List<Change> changes = mark.changes;
        mark.changes = List.of();
        // If Hibernate postpones an update, the next flush schedules it again, with its content.
        if (entry.getStatus() == Status.MANAGED && (executed || !mark.scheduled)) {
          Owner owner = Owner.of(session, managed.getKey(), entry);
          SecondLevelCache.evict(owner, entry, () -> write(owner, entry, mark, changes, appends));
        }
      }
    }
    appends.send();
  }

  /** Locks the owner's row before the rows of its content. */
  private static void write(
      Owner owner, EntityEntry entry, Mark mark, List<Change> changes, Appends appends) {
    if (mark.increment && entry.getVersion() == mark.version) {
      incrementVersion(owner, entry);
    }
    for (Change change : changes) {
      change.work().run(appends);
      change.slot().loaded(change.value());
    }
  }

  private static void incrementVersion(Owner owner, EntityEntry entry) {
    Object next =
        entry
            .getPersister()
            .forceVersionIncrement(
                requireNonNull(entry.getId()), entry.getVersion(), false, owner.session());
    entry.forceLocked(owner.entity(), next);
  }
}
