package io.pgtoaster.hibernate.event;

import java.util.BitSet;
import java.util.List;
import org.hibernate.action.internal.EntityUpdateAction;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.PostCommitUpdateEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.generator.Generator;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * An update of an entity that has content. Listeners are notified of changed content, may change
 * more, or veto all of it. The SQL statement sets only the other columns. It is not sent if they
 * are unchanged.
 */
final class ContentUpdate extends EntityUpdateAction {
  private static final long serialVersionUID = 1;

  private final int[] dirty;
  private final transient FlushListener content;
  private final transient EntityEntry entry;

  /** True if the same flush inserts the row, with its content. */
  private final boolean inserting;

  private ContentUpdate(
      FlushEntityEvent event,
      @Nullable Object[] state,
      int[] ofRow,
      int[] dirty,
      @Nullable Object[] previous,
      FlushListener content,
      @Nullable Object nextVersion) {
    super(
        event.getEntityEntry().getId(),
        state,
        ofRow,
        event.hasDirtyCollection(),
        previous,
        event.getEntityEntry().getVersion(),
        nextVersion,
        event.getEntity(),
        event.getEntityEntry().getRowId(),
        event.getEntityEntry().getPersister(),
        event.getSession());
    this.dirty = dirty;
    this.content = content;
    this.entry = event.getEntityEntry();
    this.inserting = !entry.isExistsInDatabase();
  }

  /**
   * Creates the update.
   *
   * @param dirty indexes of all changed properties
   * @param updated indexes of the changed properties that are content
   */
  static ContentUpdate of(
      FlushEntityEvent event,
      @Nullable Object[] state,
      int[] dirty,
      BitSet updated,
      FlushListener content,
      @Nullable Object nextVersion) {
    EntityEntry entry = event.getEntityEntry();
    @Nullable Object[] previous = entry.getLoadedState();
    if (updated.isEmpty()) {
      return new ContentUpdate(event, state, dirty, dirty, previous, content, nextVersion);
    }
    BitSet ofRow = new BitSet();
    for (int index : dirty) {
      ofRow.set(index, !updated.get(index));
    }
    addGenerated(entry.getPersister(), ofRow);
    if (previous != null) {
      previous = content.before(event, updated, previous);
    }
    return new ContentUpdate(
        event, state, ofRow.stream().toArray(), dirty, previous, content, nextVersion);
  }

  /**
   * Includes generated properties, because Hibernate does not generate timestamps if only the
   * version changes.
   */
  private static void addGenerated(EntityPersister persister, BitSet ofRow) {
    @Nullable Generator[] generators = persister.getGenerators();
    for (int i = 0; i < generators.length; i++) {
      Generator generator = generators[i];
      if (generator != null
          && generator.generatesOnUpdate()
          && i != persister.getVersionPropertyIndex()) {
        ofRow.set(i);
      }
    }
  }

  @Override
  protected boolean preUpdate() {
    if (getEventListenerGroups().eventListenerGroup_PRE_UPDATE.isEmpty()) {
      return false;
    }
    @Nullable Object[] before = getState().clone();
    boolean veto = super.preUpdate();
    Mark mark = Mark.of(entry);
    if (!veto) {
      // The version of this update is already decided.
      boolean increment = !mark.changes.isEmpty() && mark.increment;
      content.lookAgain(getSession(), entry, getInstance(), getState(), before);
      mark.increment = increment;
    } else if (!inserting) {
      mark.changes = List.of();
    }
    return veto;
  }

  // Public since Hibernate 8.
  @Override
  public void postUpdate() {
    getEventListenerGroups()
        .eventListenerGroup_POST_UPDATE
        .fireLazyEventOnEachListener(this::event, PostUpdateEventListener::onPostUpdate);
  }

  @Override
  protected void postCommitUpdate(boolean success) {
    getEventListenerGroups()
        .eventListenerGroup_POST_COMMIT_UPDATE
        .fireLazyEventOnEachListener(
            this::event,
            (listener, event) -> {
              if (!success && listener instanceof PostCommitUpdateEventListener afterCommit) {
                afterCommit.onPostUpdateCommitFailed(event);
              } else {
                listener.onPostUpdate(event);
              }
            });
  }

  private PostUpdateEvent event() {
    return new PostUpdateEvent(
        getInstance(),
        getId(),
        getState(),
        getPreviousState(),
        dirty,
        getPersister(),
        getSession());
  }
}
