package io.pgtoaster.hibernate.event;

import io.pgtoaster.hibernate.event.Mark.Change;
import io.pgtoaster.hibernate.internal.ContentKind.Work;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.hibernate.internal.Slot;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
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
    if (!contents.has(event.getPersister())) {
      return;
    }
    for (Slot slot :
        slots(event.getSession(), event.getPersister(), event.getId(), event.getEntity())) {
      Object value = slot.value();
      if (value != null && value != Slot.UNFETCHED) {
        Object bound = slot.kind().loaded(slot, value);
        if (bound != value) {
          slot.value(bound);
          slot.loaded(bound);
        }
      }
    }
  }

  private List<Slot> slots(
      SharedSessionContractImplementor session,
      EntityPersister persister,
      @Nullable Object id,
      Object entity) {
    return contents.slots(new Owner(session, persister, id, entity));
  }

  @Override
  public boolean onPreInsert(PreInsertEvent event) {
    for (Slot slot :
        slots(event.getSession(), event.getPersister(), event.getId(), event.getEntity())) {
      Object value = given(slot, event.getState());
      if (value != null && value != Slot.UNFETCHED) {
        slot.kind().beforeInsert(slot, value);
      }
    }
    return NO_VETO;
  }

  @Override
  public boolean onPreUpsert(PreUpsertEvent event) {
    for (Slot slot :
        slots(event.getSession(), event.getPersister(), event.getId(), event.getEntity())) {
      Object value = given(slot, event.getState());
      if (value != null && value != Slot.UNFETCHED) {
        slot.kind().beforeUpsert(slot, value);
      }
    }
    return NO_VETO;
  }

  /** Returns the value to store for the one in a state, and puts it into the state. */
  private static @Nullable Object given(Slot slot, @Nullable Object[] state) {
    Object value = state[slot.index()];
    return value == null || value == Slot.UNFETCHED ? value : slot.give(value, state);
  }

  @Override
  public void onPostInsert(PostInsertEvent event) {
    inserted(
        slots(event.getSession(), event.getPersister(), event.getId(), event.getEntity()),
        event.getState(),
        false);
  }

  @Override
  public void onPostUpsert(PostUpsertEvent event) {
    inserted(
        slots(event.getSession(), event.getPersister(), event.getId(), event.getEntity()),
        event.getState(),
        true);
  }

  @Override
  public void onPostUpdate(PostUpdateEvent event) {
    boolean stateless = !event.getSession().isEventSource();
    for (Slot slot :
        slots(event.getSession(), event.getPersister(), event.getId(), event.getEntity())) {
      Object value = stateless ? given(slot, event.getState()) : event.getState()[slot.index()];
      if (value == Slot.UNFETCHED) {
        continue;
      }
      // Otherwise the flush has replaced the value with a copy for its entity.
      boolean current = stateless || slot.value() == value;
      if (value != null && current) {
        slot.kind().bind(slot, value);
      }
      if (stateless) {
        writeAtOnce(slot, changed(slot, value));
      }
    }
  }

  private static void inserted(List<Slot> slots, @Nullable Object[] state, boolean upsert) {
    List<Change> changes = new ArrayList<>();
    for (Slot slot : slots) {
      Object value = upsert ? given(slot, state) : state[slot.index()];
      if (value == Slot.UNFETCHED) {
        continue;
      }
      Work work =
          value != null ? slot.kind().inserted(slot, value) : upsert ? changed(slot, null) : null;
      if (isAtOnce(slot.owner())) {
        writeAtOnce(slot, work);
        continue;
      }
      Object now = slot.value();
      if (now != value && now != Slot.UNFETCHED) {
        // The INSERT contained an earlier value.
        work = slot.kind().change(slot, value, now);
      }
      if (work != null) {
        changes.add(new Change(slot, now, work));
      }
    }
    EntityEntry entry = changes.isEmpty() ? null : changes.get(0).slot().owner().entry();
    if (entry != null) {
      // The rest of the content is written once all rows of the flush exist.
      Mark mark = Mark.of(entry);
      mark.changes = changes;
      mark.increment = false;
    }
  }

  /** Returns the work for a value whose loaded value is not known. */
  private static @Nullable Work changed(Slot slot, @Nullable Object value) {
    return slot.kind().change(slot, value == null ? Slot.UNFETCHED : value, value);
  }

  private static void writeAtOnce(Slot slot, @Nullable Work work) {
    if (work != null) {
      SecondLevelCache.evict(slot.owner(), null, work::runAlone);
    }
  }

  /** Returns true if the row was inserted outside a flush, or early to obtain its id. */
  private static boolean isAtOnce(Owner owner) {
    return !owner.session().isEventSource()
        || !owner.session().getPersistenceContextInternal().isFlushing()
        || owner.persister().isIdentifierAssignedByInsert();
  }

  @Override
  public boolean requiresPostCommitHandling(EntityPersister persister) {
    return false;
  }
}
