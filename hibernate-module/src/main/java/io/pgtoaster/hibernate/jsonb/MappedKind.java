package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Owner;
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
  public Object loaded(ContentAttribute attribute, Owner owner, Object value) {
    Object own = value;
    String text = STORED.get(value);
    if (text != null
        && !MappedJavaType.isImmutable(value.getClass())
        && owner.session().getFactory().getSessionFactoryOptions().isQueryCacheEnabled()) {
      // The query cache may keep the object and share it with other sessions.
      Object copy = MappedJavaType.read(text, type, mapping(owner), true);
      own = copy == null ? value : copy;
    }
    EntityEntry entry = owner.entry();
    if (entry != null && Snapshots.of(entry).get(attribute.property()) == null) {
      String stored = text(owner, own);
      remember(
          attribute,
          owner,
          stored == null
              ? Snapshot.partial(own, mapping(owner).tree(own, type))
              : Snapshot.loaded(own, stored));
    }
    return own;
  }

  @Override
  public Object given(ContentAttribute attribute, Owner owner, Object value) {
    // If the object was created from text, that text belongs to another row or state.
    STORED.take(value);
    return value;
  }

  /**
   * Returns the text from which an object was created. It is kept as long as a cache may need it.
   */
  private static @Nullable String text(Owner owner, Object value) {
    return isCached(owner) ? STORED.get(value) : STORED.take(value);
  }

  private static boolean isCached(Owner owner) {
    return owner.persister().canWriteToCache()
        || owner.session().getFactory().getSessionFactoryOptions().isQueryCacheEnabled();
  }

  private static ObjectMapping mapping(Owner owner) {
    return Mappers.of(owner.session().getFactory());
  }

  /** Returns the known stored value; null if it is not known. */
  private @Nullable Snapshot snapshot(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded) {
    EntityEntry entry = owner.entry();
    if (entry == null) {
      return null;
    }
    Snapshots snapshots = Snapshots.of(entry);
    Snapshot snapshot = snapshots.get(attribute.property());
    String text = snapshot != null || loaded == null ? null : text(owner, loaded);
    if (text != null && loaded != null) {
      // The attribute was fetched after its entity.
      snapshot = Snapshot.loaded(loaded, text);
      snapshots.put(attribute.property(), snapshot);
    }
    return snapshot;
  }

  @Override
  public @Nullable Runnable change(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    if (now == null) {
      return loaded == null ? null : () -> writer(attribute, owner).clear();
    }
    Snapshot before = loaded == null ? null : snapshot(attribute, owner, loaded);
    if (before != null && before.isOf(now)) {
      return null;
    }
    JsonNode tree = mapping(owner).tree(now, type);
    return before != null && before.isSame(tree, type, mapping(owner))
        ? null
        : () -> write(attribute, owner, before, now, tree);
  }

  @Override
  public void unchanged(ContentAttribute attribute, Owner owner, Object value) {
    Snapshot snapshot = isCached(owner) ? snapshot(attribute, owner, null) : null;
    String text = snapshot == null ? null : snapshot.text();
    if (text != null) {
      STORED.remember(value, text);
    }
  }

  @Override
  public void beforeInsert(ContentAttribute attribute, Owner owner, Object value) {
    INSERTED.remember(value, insertion(attribute, owner, value));
  }

  private Insertion insertion(ContentAttribute attribute, Owner owner, Object value) {
    DocumentRow place = new DocumentRow(attribute, owner);
    return Insertion.of(place.mapping().tree(value, type), place);
  }

  @Override
  public void beforeUpsert(ContentAttribute attribute, Owner owner, Object value) {
    Insertion insertion = insertion(attribute, owner, value);
    // An existing row keeps its document.
    INSERTED.remember(value, new Insertion(insertion.document(), insertion.text(), false));
  }

  @Override
  public @Nullable Runnable inserted(ContentAttribute attribute, Owner owner, Object value) {
    Insertion insertion = INSERTED.take(value);
    if (insertion == null) {
      return change(attribute, owner, value, value);
    }
    if (!insertion.whole()) {
      return () -> write(attribute, owner, null, value, insertion.document());
    }
    wroteWhole(attribute, owner, value, insertion.document());
    return null;
  }

  private static DocumentWriter writer(ContentAttribute attribute, Owner owner) {
    return new DocumentWriter(new DocumentRow(attribute, owner));
  }

  private void write(
      ContentAttribute attribute,
      Owner owner,
      @Nullable Snapshot before,
      Object now,
      JsonNode tree) {
    DocumentWriter writer = writer(attribute, owner);
    STORED.take(now);
    List<Change> changes =
        before == null
            ? null
            : before.changes(tree, type, mapping(owner), settings.conflicts(), writer::stored);
    if (before == null || changes == null) {
      writer.put(tree);
      wroteWhole(attribute, owner, now, tree);
    } else {
      writer.write(changes);
      remember(attribute, owner, before.after(now, tree));
    }
  }

  private static void wroteWhole(
      ContentAttribute attribute, Owner owner, Object value, JsonNode tree) {
    remember(attribute, owner, Snapshot.written(value, tree));
    EntityEntry entry = owner.entry();
    if (entry != null) {
      keepForNextEntry(entry, value, tree);
    }
  }

  /** Keeps the text, because an entity with a generated id gets another entry after its INSERT. */
  private static void keepForNextEntry(EntityEntry entry, Object value, JsonNode stored) {
    if (entry.getStatus() == Status.SAVING) {
      STORED.remember(value, JsonbText.text(stored));
    }
  }

  private static void remember(ContentAttribute attribute, Owner owner, Snapshot snapshot) {
    EntityEntry entry = owner.entry();
    if (entry != null) {
      Snapshots.of(entry).put(attribute.property(), snapshot);
    }
  }

  @Override
  public @Nullable Object before(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    if (loaded != now) {
      return loaded;
    }
    Snapshot snapshot = snapshot(attribute, owner, loaded);
    return snapshot == null ? null : snapshot.object(type, mapping(owner));
  }

  @Override
  public boolean isUpdate(
      ContentAttribute attribute, @Nullable Object loaded, @Nullable Object now) {
    return true;
  }
}
