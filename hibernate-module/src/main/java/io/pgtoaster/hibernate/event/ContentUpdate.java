package io.pgtoaster.hibernate.event;

import java.util.BitSet;
import org.hibernate.action.internal.EntityUpdateAction;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.generator.Generator;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * An update of an entity whose content has changed. Listeners hear which content it was; the
 * statement is about the other columns alone, and none is sent if they stay as they are.
 */
final class ContentUpdate extends EntityUpdateAction {
  private static final long serialVersionUID = 1;

  private final int[] dirty;

  private ContentUpdate(
      FlushEntityEvent event,
      @Nullable Object[] state,
      int[] ofRow,
      int[] dirty,
      @Nullable Object[] previous,
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
  }

  /**
   * Makes the update.
   *
   * @param state to be stored
   * @param dirty indexes of all properties that have changed
   * @param content indexes of those that are content
   * @param before what the changed content was; null where that is not known
   */
  static ContentUpdate of(
      FlushEntityEvent event,
      @Nullable Object[] state,
      int[] dirty,
      BitSet content,
      @Nullable Object[] before,
      @Nullable Object nextVersion) {
    EntityEntry entry = event.getEntityEntry();
    BitSet ofRow = new BitSet();
    for (int index : dirty) {
      ofRow.set(index, !content.get(index));
    }
    addGenerated(entry.getPersister(), ofRow);
    @Nullable Object[] previous = entry.getLoadedState();
    if (previous != null) {
      previous = previous.clone();
      for (int i = content.nextSetBit(0); i >= 0; i = content.nextSetBit(i + 1)) {
        previous[i] = before[i];
      }
    }
    return new ContentUpdate(event, state, ofRow.stream().toArray(), dirty, previous, nextVersion);
  }

  /** Hibernate does not generate timestamps where the version alone changes. */
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
  protected void postUpdate() {
    getEventListenerGroups()
        .eventListenerGroup_POST_UPDATE
        .fireLazyEventOnEachListener(this::event, PostUpdateEventListener::onPostUpdate);
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
