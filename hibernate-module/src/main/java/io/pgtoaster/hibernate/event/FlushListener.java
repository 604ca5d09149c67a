package io.pgtoaster.hibernate.event;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.internal.ContentAttribute;
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
 * statements have been executed: inserted rows exist and deleted rows do not.
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
    @Nullable Object[] before = new Object[slots.length];
    for (int i = 0; i < slots.length; i++) {
      Slot slot = slots[i];
      ContentAttribute attribute = slot.attribute();
      Object loaded = loaded(entry, slot);
      before[i] = loaded;
      Object now = now(entry, slot, entity);
      if (now == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
        continue;
      }
      if (now != null && (now != loaded || !entry.isExistsInDatabase())) {
        now = given(owner, entry, slot, now);
        loaded = loaded(entry, slot);
        before[i] = loaded;
      }
      if (attribute.kind().isChanged(attribute, owner, loaded, now)) {
        changed = true;
        if (entry.isExistsInDatabase() && attribute.kind().isUpdate(attribute, loaded, now)) {
          updated.set(slot.index());
          increment |= attribute.optimisticLocked();
        }
      }
    }
    if (changed) {
      Mark mark = Mark.of(entry);
      mark.changed = true;
      mark.scheduled = false;
      mark.updated = updated;
      mark.increment = increment && entry.getPersister().isVersioned();
      mark.version = entry.getVersion();
      mark.before = before;
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
      state[slot.index()] = now(entry, slot, entity);
    }
  }

  /** Returns true if the entity type has content. */
  boolean hasContent(EntityPersister persister) {
    return contents.slots(persister).length > 0;
  }

  /** Returns the old values for listeners, indexed by property. */
  @Nullable Object[] before(FlushEntityEvent event, Mark mark) {
    EntityEntry entry = event.getEntityEntry();
    Owner owner = owner(event.getSession(), entry, event.getEntity());
    Slot[] slots = contents.slots(entry.getPersister());
    @Nullable Object[] before = new Object[entry.getPersister().getPropertyNames().length];
    for (int i = 0; i < slots.length; i++) {
      Slot slot = slots[i];
      if (mark.updated.get(slot.index())) {
        Object now = now(entry, slot, event.getEntity());
        before[slot.index()] =
            slot.attribute().kind().before(slot.attribute(), owner, mark.before[i], now);
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
        // The entity is about to be inserted: the INSERT uses this state.
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
      for (var managed :
          event.getSession().getPersistenceContextInternal().reentrantSafeEntityEntries()) {
        EntityEntry entry = managed.getValue();
        for (Slot slot : contents.slots(entry.getPersister())) {
          Object now = now(entry, slot, managed.getKey());
          if (entry.getStatus() == Status.MANAGED
              && now != LazyPropertyInitializer.UNFETCHED_PROPERTY
              && slot.attribute()
                  .kind()
                  .isChanged(
                      slot.attribute(),
                      owner(event.getSession(), entry, managed.getKey()),
                      loaded(entry, slot),
                      now)) {
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
      Slot[] slots = contents.slots(entry.getPersister());
      if (slots.length == 0) {
        continue;
      }
      Mark mark = entry.getExtraState(Mark.class);
      if (mark != null && mark.changed && entry.isExistsInDatabase()) {
        mark.changed = false;
        // If Hibernate postpones an update, the next flush schedules it again, with its content.
        if (entry.getStatus() == Status.MANAGED && (executed || !mark.scheduled)) {
          write(owner(session, entry, managed.getKey()), entry, slots, mark);
        }
      }
    }
  }

  /** Locks the owner's row before the rows of its content. */
  private static void write(Owner owner, EntityEntry entry, Slot[] slots, Mark mark) {
    SecondLevelCache cache = SecondLevelCache.lock(owner, entry);
    if (mark.increment && entry.getVersion() == mark.version) {
      incrementVersion(owner, entry);
    }
    for (int i = 0; i < slots.length; i++) {
      Slot slot = slots[i];
      ContentAttribute attribute = slot.attribute();
      Object before = mark.before[i];
      Object now = now(entry, slot, owner.entity());
      if (now != LazyPropertyInitializer.UNFETCHED_PROPERTY
          && attribute.kind().isChanged(attribute, owner, before, now)) {
        attribute.kind().write(attribute, owner, before, now);
        @Nullable Object[] state = entry.getLoadedState();
        if (state != null) {
          state[slot.index()] = now;
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

  private static @Nullable Object now(EntityEntry entry, Slot slot, Object entity) {
    EntityPersister persister = entry.getPersister();
    return persister
            .getBytecodeEnhancementMetadata()
            .isAttributeLoaded(entity, slot.attribute().property())
        ? persister.getValue(entity, slot.index())
        : LazyPropertyInitializer.UNFETCHED_PROPERTY;
  }
}
