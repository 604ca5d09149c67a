package io.pgtoaster.hibernate.event;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.event.Mark.Change;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Contents.Slot;
import io.pgtoaster.hibernate.internal.Owner;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostLoadEvent;
import org.hibernate.event.spi.PostLoadEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.event.spi.PostUpsertEvent;
import org.hibernate.event.spi.PostUpsertEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Binds values to their rows. Content is written immediately if a row is inserted outside a flush:
 * by a stateless session, which never flushes, or because the database generates the id.
 */
final class RowListener
    implements PostLoadEventListener,
        PreInsertEventListener,
        PostInsertEventListener,
        PostUpdateEventListener,
        PreUpsertEventListener,
        PostUpsertEventListener {
  private static final boolean NO_VETO = false;

  private final transient Contents contents;

  RowListener(Contents contents) {
    this.contents = contents;
  }

  @Override
  public void onPostLoad(PostLoadEvent event) {
    EntityPersister persister = event.getPersister();
    Slot[] slots = contents.slots(persister);
    if (slots.length == 0) {
      return;
    }
    Object entity = event.getEntity();
    Owner owner = new Owner(event.getSession(), persister, event.getId(), entity);
    for (Slot slot : slots) {
      load(owner, slot, slot.value(persister, entity));
    }
  }

  /** Returns true unless the flush has replaced the value with a copy for its entity. */
  private static boolean isCurrent(Owner owner, Slot slot, @Nullable Object value) {
    return value != LazyPropertyInitializer.UNFETCHED_PROPERTY
        && slot.value(owner.persister(), owner.entity()) == value;
  }

  /** Returns the value to store in the entity for a value that was assigned to it. */
  private static @Nullable Object given(
      Owner owner, Slot slot, @Nullable Object[] state, @Nullable Object value) {
    if (value == null || value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
      return value;
    }
    ContentAttribute attribute = slot.attribute();
    Object fit = attribute.kind().given(attribute, owner, value);
    if (fit != value) {
      state[slot.index()] = fit;
      owner.persister().setValue(owner.entity(), slot.index(), fit);
    }
    return fit;
  }

  private static void load(Owner owner, Slot slot, @Nullable Object value) {
    if (value == null || value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
      return;
    }
    Object bound = slot.attribute().kind().loaded(slot.attribute(), owner, value);
    if (bound != value) {
      owner.persister().setValue(owner.entity(), slot.index(), bound);
      EntityEntry entry = owner.entry();
      if (entry != null && entry.getLoadedState() != null) {
        entry.getLoadedState()[slot.index()] = bound;
      }
    }
  }

  private static void bind(Owner owner, Slot slot, @Nullable Object value) {
    if (value != null && value != LazyPropertyInitializer.UNFETCHED_PROPERTY) {
      slot.attribute().kind().bind(slot.attribute(), owner, value);
    }
  }

  @Override
  public boolean onPreInsert(PreInsertEvent event) {
    beforeInsert(
        new Owner(event.getSession(), event.getPersister(), event.getId(), event.getEntity()),
        event.getState(),
        false);
    return NO_VETO;
  }

  @Override
  public boolean onPreUpsert(PreUpsertEvent event) {
    beforeInsert(
        new Owner(event.getSession(), event.getPersister(), event.getId(), event.getEntity()),
        event.getState(),
        true);
    return NO_VETO;
  }

  private void beforeInsert(Owner owner, @Nullable Object[] state, boolean upsert) {
    for (Slot slot : contents.slots(owner.persister())) {
      Object value = state[slot.index()];
      if (value == null || value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
        continue;
      }
      ContentAttribute attribute = slot.attribute();
      Object fit = requireNonNull(given(owner, slot, state, value));
      if (upsert) {
        attribute.kind().beforeUpsert(attribute, owner, fit);
      } else {
        attribute.kind().beforeInsert(attribute, owner, fit);
      }
    }
  }

  @Override
  public void onPostInsert(PostInsertEvent event) {
    inserted(
        new Owner(event.getSession(), event.getPersister(), event.getId(), event.getEntity()),
        event.getState(),
        false);
  }

  @Override
  public void onPostUpsert(PostUpsertEvent event) {
    inserted(
        new Owner(event.getSession(), event.getPersister(), event.getId(), event.getEntity()),
        event.getState(),
        true);
  }

  @Override
  public void onPostUpdate(PostUpdateEvent event) {
    Owner owner =
        new Owner(event.getSession(), event.getPersister(), event.getId(), event.getEntity());
    boolean stateless = !owner.session().isEventSource();
    for (Slot slot : contents.slots(owner.persister())) {
      Object value = event.getState()[slot.index()];
      if (stateless) {
        value = given(owner, slot, event.getState(), value);
      }
      if (stateless || isCurrent(owner, slot, value)) {
        bind(owner, slot, value);
      }
      if (stateless && value != LazyPropertyInitializer.UNFETCHED_PROPERTY) {
        writeAtOnce(owner, changed(owner, slot, value));
      }
    }
  }

  private void inserted(Owner owner, @Nullable Object[] state, boolean upsert) {
    boolean atOnce = !owner.session().isEventSource() || isInsertedAlone(owner);
    Slot[] slots = contents.slots(owner.persister());
    boolean changed = false;
    @Nullable Change[] changes = new Change[slots.length];
    for (int i = 0; i < slots.length; i++) {
      Slot slot = slots[i];
      ContentKind kind = slot.attribute().kind();
      Object value = upsert ? given(owner, slot, state, state[slot.index()]) : state[slot.index()];
      if (value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
        continue;
      }
      Runnable work =
          value != null
              ? kind.inserted(slot.attribute(), owner, value)
              : upsert ? changed(owner, slot, null) : null;
      if (atOnce) {
        writeAtOnce(owner, work);
        continue;
      }
      Object now = slot.value(owner.persister(), owner.entity());
      if (now != value && now != LazyPropertyInitializer.UNFETCHED_PROPERTY) {
        // The INSERT contained an earlier value.
        work = kind.change(slot.attribute(), owner, value, now);
      }
      changed |= work != null;
      changes[i] = work == null ? null : new Change(now, work);
    }
    EntityEntry entry = atOnce ? null : owner.entry();
    if (changed && entry != null) {
      // The rest of the content is written once all rows of the flush exist.
      Mark mark = Mark.of(entry);
      mark.changes = changes;
      mark.increment = false;
    }
  }

  /** Returns the work for a value whose loaded value is not known. */
  private static @Nullable Runnable changed(Owner owner, Slot slot, @Nullable Object value) {
    Object loaded = value == null ? LazyPropertyInitializer.UNFETCHED_PROPERTY : value;
    return slot.attribute().kind().change(slot.attribute(), owner, loaded, value);
  }

  private static void writeAtOnce(Owner owner, @Nullable Runnable work) {
    if (work != null) {
      SecondLevelCache cache = SecondLevelCache.lock(owner, null);
      work.run();
      cache.evict();
    }
  }

  /** Returns true if the row was inserted outside a flush, or early to obtain its id. */
  private static boolean isInsertedAlone(Owner owner) {
    return !owner.session().getPersistenceContextInternal().isFlushing()
        || owner.persister().isIdentifierAssignedByInsert();
  }

  @Override
  public boolean requiresPostCommitHandling(EntityPersister persister) {
    return false;
  }
}
