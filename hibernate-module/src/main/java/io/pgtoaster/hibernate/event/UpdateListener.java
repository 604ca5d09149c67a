package io.pgtoaster.hibernate.event;

import static java.util.Objects.requireNonNull;

import java.util.BitSet;
import java.util.stream.IntStream;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SelfDirtinessTracker;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.internal.DefaultFlushEntityEventListener;
import org.hibernate.event.service.spi.DuplicationStrategy;
import org.hibernate.event.service.spi.EventListenerGroup;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.FlushEntityEventListener;
import org.hibernate.internal.EmptyInterceptor;
import org.hibernate.jpa.event.spi.CallbackRegistry;
import org.hibernate.jpa.event.spi.CallbackType;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Replaces Hibernate's own listener, so that changed content counts as a changed attribute:
 * callbacks, timestamps and update listeners see it. The columns remain non-updatable for
 * Hibernate, so it sends an UPDATE of the row only if something else in it changes.
 */
final class UpdateListener extends DefaultFlushEntityEventListener {
  private final transient FlushListener content;
  private transient @Nullable CallbackRegistry callbacks;

  private UpdateListener(FlushListener content) {
    this.content = content;
  }

  /**
   * Replaces Hibernate's listener. If the application has replaced that listener, it runs after the
   * application's.
   */
  @SuppressWarnings("deprecation") // called once per factory; no other event notifies listeners
  static void register(EventListenerGroup<FlushEntityEventListener> group, FlushListener content) {
    for (FlushEntityEventListener listener : group.listeners()) {
      if (listener.getClass() == DefaultFlushEntityEventListener.class) {
        group.addDuplicationStrategy(new Replacement());
        group.appendListener(new UpdateListener(content));
        return;
      }
    }
    group.appendListener(content);
  }

  private static final class Replacement implements DuplicationStrategy {
    @Override
    public boolean areMatch(Object listener, Object original) {
      return listener instanceof UpdateListener
          && original.getClass() == DefaultFlushEntityEventListener.class;
    }

    @Override
    public Action getAction() {
      return Action.REPLACE_ORIGINAL;
    }
  }

  @Override
  public void injectCallbackRegistry(CallbackRegistry registry) {
    super.injectCallbackRegistry(registry);
    callbacks = registry;
  }

  @Override
  public void onFlushEntity(FlushEntityEvent event) {
    EntityEntry entry = event.getEntityEntry();
    boolean changed = content.look(event.getSession(), entry, event.getEntity());
    if (changed && event.getEntity() instanceof SelfDirtinessTracker tracker) {
      // Without this, Hibernate considers an enhanced entity unchanged and does not check it.
      String[] names = entry.getPersister().getPropertyNames();
      updated(entry).stream().forEach(i -> tracker.$$_hibernate_trackChange(names[i]));
    }
    super.onFlushEntity(event);
  }

  /** Also calls the callbacks of the entity, which may change content. */
  @Override
  protected boolean invokeInterceptor(FlushEntityEvent event) {
    EntityEntry entry = event.getEntityEntry();
    EventSource session = event.getSession();
    if (session.getInterceptor() == EmptyInterceptor.INSTANCE
        && !requireNonNull(callbacks)
            .hasRegisteredCallbacks(event.getEntity().getClass(), CallbackType.PRE_UPDATE)) {
      return super.invokeInterceptor(event);
    }
    BitSet updated = updated(entry);
    @Nullable Object[] before = event.getPropertyValues().clone();
    boolean changed = super.invokeInterceptor(event);
    content.lookAgain(session, entry, event.getEntity(), event.getPropertyValues(), before);
    return changed || !updated(entry).equals(updated);
  }

  @Override
  protected void dirtyCheck(FlushEntityEvent event) {
    super.dirtyCheck(event);
    int[] found = event.getDirtyProperties();
    if (event.isDirtyCheckPossible()) {
      event.setDirtyProperties(
          IntStream.concat(
                  found == null ? IntStream.empty() : IntStream.of(found),
                  updated(event.getEntityEntry()).stream())
              .sorted()
              .distinct()
              .toArray());
    }
  }

  @Override
  protected void addEntityUpdateActionToActionQueue(
      FlushEntityEvent event,
      EventSource session,
      EntityEntry entry,
      @Nullable Object[] state,
      int @Nullable [] dirty,
      Status status,
      EntityPersister persister,
      Object entity,
      @Nullable Object nextVersion) {
    if (dirty == null || status != Status.MANAGED || !content.hasContent(persister)) {
      super.addEntityUpdateActionToActionQueue(
          event, session, entry, state, dirty, status, persister, entity, nextVersion);
    } else {
      Mark mark = Mark.of(entry);
      mark.scheduled = true;
      session
          .getActionQueue()
          .addAction(ContentUpdate.of(event, state, dirty, updated(entry), content, nextVersion));
    }
  }

  private static BitSet updated(EntityEntry entry) {
    Mark mark = entry.getExtraState(Mark.class);
    return mark == null || mark.changes.isEmpty() ? new BitSet() : mark.updated;
  }
}
