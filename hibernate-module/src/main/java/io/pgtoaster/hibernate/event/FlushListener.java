package io.pgtoaster.hibernate.event;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.event.Mark.Change;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Contents.Slot;
import io.pgtoaster.hibernate.internal.Owner;
import java.util.BitSet;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
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
    Slot[] slots = contents.slots(entry.getPersister());
    if (slots.length == 0 || entry.getStatus() != Status.MANAGED) {
      return false;
    }
    Owner owner = owner(session, entry, entity);
    boolean changed = false;
    boolean increment = false;
    BitSet updated = new BitSet();
    @Nullable Change[] changes = new Change[slots.length];
    for (int i = 0; i < slots.length; i++) {
      Slot slot = slots[i];
      ContentKind kind = slot.attribute().kind();
      Object now = slot.value(entry.getPersister(), entity);
      if (now == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
        continue;
      }
      Object loaded = loaded(entry, slot);
      boolean exists = entry.isExistsInDatabase();
      if (now != null && (now != loaded || !exists)) {
        now = given(owner, entry, slot, now);
      }
      if (!exists) {
        // The INSERT writes the value.
        continue;
      }
      Runnable work = kind.change(slot.attribute(), owner, loaded, now);
      if (work != null) {
        changed = true;
        changes[i] = new Change(now, work);
        if (kind.isUpdate(slot.attribute(), loaded, now)) {
          updated.set(slot.index());
          increment |= slot.attribute().optimisticLocked();
        }
      } else if (now != null && now != loaded) {
        kind.unchanged(slot.attribute(), owner, now);
      }
    }
    Mark mark = changed ? Mark.of(entry) : entry.getExtraState(Mark.class);
    if (mark != null) {
      mark.changes = changed ? changes : null;
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
    Slot[] slots = contents.slots(entry.getPersister());
    for (Slot slot : slots) {
      Object given = state[slot.index()];
      if (given != before[slot.index()] && given != LazyPropertyInitializer.UNFETCHED_PROPERTY) {
        entry.getPersister().setValue(entity, slot.index(), given);
      }
    }
    look(session, entry, entity);
    for (Slot slot : slots) {
      state[slot.index()] = slot.value(entry.getPersister(), entity);
    }
  }

  /** Returns true if the entity type has content. */
  boolean hasContent(EntityPersister persister) {
    return contents.slots(persister).length > 0;
  }

  /** Returns the old values of changed properties for listeners, indexed by property. */
  @Nullable Object[] before(FlushEntityEvent event, BitSet updated) {
    EntityEntry entry = event.getEntityEntry();
    Owner owner = owner(event.getSession(), entry, event.getEntity());
    @Nullable Object[] before = new Object[entry.getPersister().getPropertyNames().length];
    for (Slot slot : contents.slots(entry.getPersister())) {
      if (updated.get(slot.index())) {
        Object now = slot.value(entry.getPersister(), event.getEntity());
        before[slot.index()] =
            slot.attribute().kind().before(slot.attribute(), owner, loaded(entry, slot), now);
      }
    }
    return before;
  }

  private static Object given(Owner owner, EntityEntry entry, Slot slot, Object value) {
    ContentAttribute attribute = slot.attribute();
    Object fit = attribute.kind().given(attribute, owner, value);
    if (fit != value) {
      owner.persister().setValue(owner.entity(), slot.index(), fit);
      Object[] state = entry.getLoadedState();
      if (state != null && state[slot.index()] == value) {
        // The entity is about to be inserted, and the INSERT uses this state.
        state[slot.index()] = fit;
      }
    }
    attribute.kind().bind(attribute, owner, fit);
    return fit;
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
    if (!event.isDirty()) {
      EventSource session = event.getSession();
      for (var managed : session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
        EntityEntry entry = managed.getValue();
        Owner owner = owner(session, entry, managed.getKey());
        for (Slot slot : contents.slots(entry.getPersister())) {
          ContentAttribute attribute = slot.attribute();
          Object now = slot.value(entry.getPersister(), managed.getKey());
          if (entry.getStatus() == Status.MANAGED
              && now != LazyPropertyInitializer.UNFETCHED_PROPERTY
              && attribute.kind().change(attribute, owner, loaded(entry, slot), now) != null) {
            event.setDirty(true);
            return;
          }
        }
      }
    }
  }

  private void writeAll(EventSource session, boolean executed) {
    for (var managed : session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
      EntityEntry entry = managed.getValue();
      Mark mark = entry.getExtraState(Mark.class);
      @Nullable Change[] changes = mark == null ? null : mark.changes;
      if (mark != null && changes != null && entry.isExistsInDatabase()) {
        mark.changes = null;
        // If Hibernate postpones an update, the next flush schedules it again, with its content.
        if (entry.getStatus() == Status.MANAGED && (executed || !mark.scheduled)) {
          write(owner(session, entry, managed.getKey()), entry, mark, changes);
        }
      }
    }
  }

  /** Locks the owner's row before the rows of its content. */
  private void write(Owner owner, EntityEntry entry, Mark mark, @Nullable Change[] changes) {
    SecondLevelCache cache = SecondLevelCache.lock(owner, entry);
    if (mark.increment && entry.getVersion() == mark.version) {
      incrementVersion(owner, entry);
    }
    Slot[] slots = contents.slots(entry.getPersister());
    for (int i = 0; i < slots.length; i++) {
      Change change = changes[i];
      if (change != null) {
        change.work().run();
        @Nullable Object[] state = entry.getLoadedState();
        if (state != null) {
          state[slots[i].index()] = change.value();
        }
      }
    }
    cache.evict();
  }

  private static void incrementVersion(Owner owner, EntityEntry entry) {
    EntityPersister persister = entry.getPersister();
    Object next =
        persister.forceVersionIncrement(
            requireNonNull(entry.getId()), entry.getVersion(), false, owner.session());
    entry.forceLocked(owner.entity(), next);
  }

  private static Owner owner(EventSource session, EntityEntry entry, Object entity) {
    return new Owner(session, entry.getPersister(), entry.getId(), entity);
  }

  private static @Nullable Object loaded(EntityEntry entry, Slot slot) {
    Object[] state = entry.getLoadedState();
    return state == null ? null : state[slot.index()];
  }
}
