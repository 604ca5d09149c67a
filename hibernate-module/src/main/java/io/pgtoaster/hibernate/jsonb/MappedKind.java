package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.internal.json.JsonbText;
import java.lang.reflect.Type;
import java.util.List;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.Status;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Attributes of the application's classes.
 *
 * @param type of the attribute
 * @param settings of the mapping
 */
record MappedKind(Type type, ColumnSettings settings) implements JsonKind {
  /** The text from which each object was created. */
  static final ObjectTexts<String> STORED = new ObjectTexts<>();

  /** The text of each object in the INSERT of a row. */
  static final ObjectTexts<Insertion> INSERTED = new ObjectTexts<>();

  @Override
  public Object loaded(Slot slot, Object value) {
    Object own = value;
    String text = STORED.get(value);
    if (text != null
        && !MappedJavaType.isImmutable(value.getClass())
        && slot.session().getFactory().getSessionFactoryOptions().isQueryCacheEnabled()) {
      // The query cache may keep the object and share it with other sessions.
      Object copy = MappedJavaType.read(text, type, mapping(slot), true);
      own = copy == null ? value : copy;
    }
    if (slot.owner().entry() != null && Snapshots.get(slot) == null) {
      String stored = text(slot, own);
      Snapshots.put(
          slot,
          stored == null
              ? Snapshot.partial(own, mapping(slot).tree(own, type))
              : Snapshot.loaded(own, stored));
    }
    return own;
  }

  @Override
  public Object given(Slot slot, Object value) {
    // If the object was created from text, that text belongs to another row or state.
    STORED.take(value);
    return value;
  }

  /**
   * Returns the text from which an object was created. It is kept as long as a cache may need it.
   */
  private static @Nullable String text(Slot slot, Object value) {
    return isCached(slot) ? STORED.get(value) : STORED.take(value);
  }

  private static boolean isCached(Slot slot) {
    return slot.owner().persister().canWriteToCache()
        || slot.session().getFactory().getSessionFactoryOptions().isQueryCacheEnabled();
  }

  private static ObjectMapping mapping(Slot slot) {
    return Mappers.of(slot.session().getFactory());
  }

  /** Returns the known stored value; null if it is not known. */
  private @Nullable Snapshot snapshot(Slot slot, @Nullable Object loaded) {
    Snapshot known = Snapshots.get(slot);
    if (known != null || loaded == null || slot.owner().entry() == null) {
      return known;
    }
    String text = text(slot, loaded);
    if (text == null) {
      return null;
    }
    // The attribute was fetched after its entity.
    Snapshot snapshot = Snapshot.loaded(loaded, text);
    Snapshots.put(slot, snapshot);
    return snapshot;
  }

  @Override
  public @Nullable Work change(Slot slot, @Nullable Object loaded, @Nullable Object now) {
    if (now == null) {
      return loaded == null ? null : appends -> new DocumentRow(slot).clear();
    }
    Snapshot before = loaded == null ? null : snapshot(slot, loaded);
    if (before != null && before.isOf(now)) {
      return null;
    }
    JsonNode tree = mapping(slot).tree(now, type);
    return before != null && before.isSame(tree, type, mapping(slot))
        ? null
        : appends -> write(slot, before, now, tree);
  }

  @Override
  public void unchanged(Slot slot, Object value) {
    Snapshot snapshot = isCached(slot) ? snapshot(slot, null) : null;
    String text = snapshot == null ? null : snapshot.text();
    if (text != null) {
      STORED.remember(value, text);
    }
  }

  @Override
  public void beforeInsert(Slot slot, Object value) {
    INSERTED.remember(value, insertion(slot, value));
  }

  private Insertion insertion(Slot slot, Object value) {
    DocumentRow place = new DocumentRow(slot);
    return Insertion.of(place.mapping().tree(value, type), place);
  }

  @Override
  public void beforeUpsert(Slot slot, Object value) {
    Insertion insertion = insertion(slot, value);
    // An existing row keeps its document.
    INSERTED.remember(value, new Insertion(insertion.document(), insertion.text(), false));
  }

  @Override
  public @Nullable Work inserted(Slot slot, Object value) {
    Insertion insertion = INSERTED.take(value);
    if (insertion == null) {
      return change(slot, value, value);
    }
    if (!insertion.whole()) {
      return appends -> write(slot, null, value, insertion.document());
    }
    wroteWhole(slot, value, insertion.document());
    return null;
  }

  private void write(Slot slot, @Nullable Snapshot before, Object now, JsonNode tree) {
    DocumentRow row = new DocumentRow(slot);
    STORED.take(now);
    List<Change> changes =
        before == null
            ? null
            : before.changes(tree, type, mapping(slot), settings.conflicts(), row::stored);
    if (before == null || changes == null) {
      row.put(tree);
      wroteWhole(slot, now, tree);
    } else {
      row.edit(changes);
      Snapshots.put(slot, before.after(now, tree));
    }
  }

  private static void wroteWhole(Slot slot, Object value, JsonNode tree) {
    Snapshots.put(slot, Snapshot.written(value, tree));
    EntityEntry entry = slot.owner().entry();
    if (entry != null && entry.getStatus() == Status.SAVING) {
      // An entity with a generated id gets another entry after its INSERT.
      STORED.remember(value, JsonbText.text(tree));
    }
  }

  @Override
  public @Nullable Object before(Slot slot, @Nullable Object loaded, @Nullable Object now) {
    if (loaded != now) {
      return loaded;
    }
    Snapshot snapshot = snapshot(slot, loaded);
    return snapshot == null ? null : snapshot.object(type, mapping(slot));
  }
}
