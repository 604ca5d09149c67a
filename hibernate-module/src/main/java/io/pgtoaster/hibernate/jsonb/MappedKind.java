package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.spi.AttachedColumn;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Supplier;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.Status;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Attributes of the application's classes.
 *
 * @param type of the attribute
 * @param conflicts treatment of a path that another transaction has changed
 */
record MappedKind(Type type, Conflicts conflicts) implements ContentKind {
  /** Texts from which objects were created. */
  static final ObjectTexts<String> STORED = new ObjectTexts<>();

  /** Texts of objects in the INSERT of a row. */
  static final ObjectTexts<Insertion> INSERTED = new ObjectTexts<>();

  @Override
  public void check(ContentAttribute attribute, Supplier<@Nullable AttachedColumn> column) {
    KeptPaths.check(attribute, column);
  }

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
    bind(attribute, owner, own);
    return own;
  }

  @Override
  public void bind(ContentAttribute attribute, Owner owner, Object value) {
    EntityEntry entry = owner.entry();
    if (entry == null) {
      return;
    }
    Snapshots snapshots = Snapshots.of(entry);
    Insertion insertion = INSERTED.take(value);
    String text = text(owner, value);
    if (insertion != null) {
      JsonNode tree = mapping(owner).tree(value, type);
      snapshots.put(attribute.property(), Snapshot.written(value, tree, !insertion.whole()));
      if (insertion.whole()) {
        keepForNextEntry(entry, value, tree);
      }
    } else if (snapshots.get(attribute.property()) == null && value == loaded(attribute, owner)) {
      snapshots.put(
          attribute.property(),
          text != null
              ? Snapshot.loaded(value, text)
              : Snapshot.partial(value, mapping(owner).tree(value, type)));
    }
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

  private static @Nullable Object loaded(ContentAttribute attribute, Owner owner) {
    EntityEntry entry = owner.entry();
    return entry == null || entry.getLoadedState() == null
        ? null
        : entry.getLoadedValue(attribute.property());
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
  public boolean isChanged(
      ContentAttribute attribute, @Nullable Object loaded, @Nullable Object now) {
    return loaded != now;
  }

  @Override
  public boolean isChanged(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    if (now == null) {
      return loaded != null;
    }
    Insertion insertion = INSERTED.get(now);
    if (insertion != null) {
      if (insertion.whole()) {
        INSERTED.take(now);
      }
      return !insertion.whole();
    }
    Snapshot snapshot = snapshot(attribute, owner, loaded);
    boolean changed =
        loaded == null || snapshot == null || snapshot.isDifferent(now, type, mapping(owner));
    if (now != loaded && isCached(owner)) {
      // The object was created from another text, if from any.
      String text = changed || snapshot == null ? null : snapshot.text();
      STORED.take(now);
      if (text != null) {
        STORED.remember(now, text);
      }
    }
    return changed;
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
    INSERTED.remember(value, new Insertion(insertion.text(), false));
  }

  @Override
  public void write(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    DocumentWriter writer = new DocumentWriter(new DocumentRow(attribute, owner));
    if (now == null) {
      writer.clear();
      return;
    }
    ObjectMapping mapping = mapping(owner);
    JsonNode tree = mapping.tree(now, type);
    Insertion inserted = INSERTED.take(now);
    Snapshot before =
        loaded == null || inserted != null ? null : snapshot(attribute, owner, loaded);
    STORED.take(now);
    List<Change> changes =
        before == null ? null : before.changes(tree, type, mapping, conflicts, writer::stored);
    if (before == null || changes == null) {
      writer.put(tree);
      remember(attribute, owner, Snapshot.written(now, tree, false));
      EntityEntry entry = owner.entry();
      if (entry != null) {
        keepForNextEntry(entry, now, tree);
      }
    } else {
      writer.write(changes);
      remember(attribute, owner, before.after(now, tree));
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
