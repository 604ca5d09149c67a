package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.JsonEquality;
import io.pgtoaster.internal.json.JsonbText;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The stored state of one mapped object. The stored document may have members that its class does
 * not know. Only what the class reads and writes is compared. Not thread-safe.
 */
final class Snapshot {
  private final Object object;

  /** The text that was loaded, until it is parsed. */
  private @Nullable String text;

  /** The document as it is stored; null until it is parsed, or if only part of it is known. */
  private @Nullable JsonNode stored;

  /** The stored document as the class reads and writes it. */
  private @Nullable JsonNode base;

  private Snapshot(Object object) {
    this.object = object;
  }

  /** Creates the snapshot of an object that was read from text. */
  static Snapshot loaded(Object object, String text) {
    Snapshot snapshot = new Snapshot(object);
    snapshot.text = text;
    return snapshot;
  }

  /** Creates the snapshot of an object that may lack stored members. */
  static Snapshot partial(Object object, JsonNode base) {
    Snapshot snapshot = new Snapshot(object);
    snapshot.base = base;
    return snapshot;
  }

  /** Creates the snapshot of an object that has been written. */
  static Snapshot written(Object object, JsonNode tree) {
    Snapshot snapshot = new Snapshot(object);
    snapshot.base = tree;
    snapshot.stored = JsonCopies.copy(tree);
    return snapshot;
  }

  private JsonNode base(Type type, ObjectMapping mapping) {
    JsonNode known = base;
    if (known == null) {
      JsonNode read = Json.readStored(text == null ? "null" : text);
      stored = read;
      text = null;
      known = mapping.tree(mapping.object(read, type), type);
      base = known;
    }
    return known;
  }

  /** Returns the stored text; null if it is not known. */
  @Nullable String text() {
    JsonNode all = stored;
    return all == null ? text : JsonbText.text(all);
  }

  /** Creates an object from the stored document; null for the JSON null. */
  @Nullable Object object(Type type, ObjectMapping mapping) {
    return mapping.object(base(type, mapping), type);
  }

  /** Returns whether this is the snapshot of an object that cannot have changed since. */
  boolean isOf(Object now) {
    return now == object && MappedJavaType.isImmutable(now.getClass());
  }

  boolean isSame(JsonNode tree, Type type, ObjectMapping mapping) {
    return JsonEquality.equal(base(type, mapping), tree);
  }

  /**
   * Returns the changes from the stored state to an object.
   *
   * @param reader of the text stored now, for objects that may lack stored members
   * @return null if the object must be stored as a whole
   */
  @Nullable List<Change> changes(
      JsonNode now,
      Type type,
      ObjectMapping mapping,
      Conflicts conflicts,
      Supplier<String> reader) {
    JsonNode before = base(type, mapping);
    if (!DocumentDiff.isPossible(before, now)) {
      return null;
    }
    JsonNode all = stored;
    JsonNode there = before;
    if (all == null) {
      all = Json.readStored(reader.get());
      there = mapping.tree(mapping.object(all, type), type);
    }
    List<Change> changes = new ArrayList<>();
    for (JsonEdit edit : DocumentDiff.of(before, now, all)) {
      List<String> path = edit.path().steps();
      boolean overwrites = edit instanceof JsonEdit.Set || edit instanceof JsonEdit.Remove;
      boolean checked = overwrites && conflicts == Conflicts.DETECT;
      if (!checked && path.isEmpty() && edit instanceof JsonEdit.Set) {
        return null;
      }
      changes.add(new Change(edit, checked ? expected(path, before, there, all) : null));
      all =
          path.isEmpty() && edit instanceof JsonEdit.Set set
              ? JsonCopies.copy(set.value())
              : KnownDocument.apply(all, edit, path).root();
    }
    stored = all;
    return changes;
  }

  /**
   * Returns the value stored at a path, or the object's earlier value if another transaction has
   * changed it.
   */
  private static ReadValue expected(
      List<String> path, JsonNode before, JsonNode there, JsonNode stored) {
    JsonNode had = JsonChanges.get(before, path);
    JsonNode has = JsonChanges.get(there, path);
    boolean same = had == null ? has == null : has != null && JsonEquality.equal(had, has);
    return new ReadValue(same ? JsonChanges.get(stored, path) : had);
  }

  /** Returns the snapshot after the changes have been written. */
  Snapshot after(Object now, JsonNode tree) {
    Snapshot snapshot = new Snapshot(now);
    snapshot.stored = stored;
    snapshot.base = tree;
    return snapshot;
  }
}
