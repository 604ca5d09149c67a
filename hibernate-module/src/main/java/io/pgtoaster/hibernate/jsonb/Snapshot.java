package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonChanges;
import io.pgtoaster.spi.json.JsonCopies;
import io.pgtoaster.spi.json.JsonEquality;
import io.pgtoaster.spi.json.JsonbText;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is stored of one mapped object. The stored document may have members that its class does not
 * know: what is compared is what the class makes of it. Not thread-safe.
 */
final class Snapshot {
  private final Object object;
  private final boolean incomplete;

  /** The text that was loaded, until it is looked into. */
  private @Nullable String text;

  /** The document as it is stored; null if only a part of it is known. */
  private @Nullable JsonNode stored;

  /** What the class makes of it. */
  private @Nullable JsonNode base;

  private Snapshot(Object object, boolean incomplete) {
    this.object = object;
    this.incomplete = incomplete;
  }

  /** Makes the snapshot of an object that was read from a text. */
  static Snapshot loaded(Object object, String text) {
    Snapshot snapshot = new Snapshot(object, false);
    snapshot.text = text;
    return snapshot;
  }

  /** Makes the snapshot of an object that need not have all that is stored. */
  static Snapshot partial(Object object, JsonNode base) {
    Snapshot snapshot = new Snapshot(object, false);
    snapshot.base = base;
    return snapshot;
  }

  /**
   * Of an object that has been written.
   *
   * @param incomplete whether only a part of it has
   */
  static Snapshot written(Object object, JsonNode tree, boolean incomplete) {
    Snapshot snapshot = new Snapshot(object, incomplete);
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

  /** The text of what is stored, if it is known; not of an object that was inserted in part. */
  @Nullable String text() {
    if (incomplete) {
      return null;
    }
    JsonNode all = stored;
    return all == null ? text : JsonbText.text(all);
  }

  /** Makes an object of what is stored; null if only a part of that is known. */
  @Nullable Object object(Type type, ObjectMapping mapping) {
    return incomplete ? null : mapping.object(base(type, mapping), type);
  }

  boolean isDifferent(Object now, Type type, ObjectMapping mapping) {
    if (incomplete) {
      return true;
    }
    if (now == object && MappedJavaType.isImmutable(now.getClass())) {
      return false;
    }
    return !JsonEquality.equal(base(type, mapping), mapping.tree(now, type));
  }

  /**
   * The changes from what is stored to an object.
   *
   * @param reader of what is stored now, for objects that need not know all of it
   * @return null if it must be put as a whole
   */
  @Nullable List<Change> changes(
      JsonNode now,
      Type type,
      ObjectMapping mapping,
      Conflicts conflicts,
      Supplier<String> reader) {
    JsonNode before = base(type, mapping);
    if (incomplete || !DocumentDiff.isPossible(before, now)) {
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

  /** What is stored at a path; what the object had, if another transaction has changed that. */
  private static Seen expected(
      List<String> path, JsonNode before, JsonNode there, JsonNode stored) {
    JsonNode had = JsonChanges.get(before, path);
    JsonNode has = JsonChanges.get(there, path);
    boolean same = had == null ? has == null : has != null && JsonEquality.equal(had, has);
    return new Seen(same ? JsonChanges.get(stored, path) : had);
  }

  /** What follows when the changes have been written. */
  Snapshot after(Object now, JsonNode tree) {
    Snapshot snapshot = new Snapshot(now, false);
    snapshot.stored = stored;
    snapshot.base = tree;
    return snapshot;
  }
}
