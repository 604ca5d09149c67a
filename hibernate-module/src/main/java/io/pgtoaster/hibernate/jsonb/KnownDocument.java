package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.column.EditKinds;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.jsonb.keyed.StubText;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The part of a document that a session knows: the members in the row, other members that were
 * read, and the changes that are still to be written. Not thread-safe.
 */
final class KnownDocument {
  private JsonNode root;

  /** Represents members of the root that are not in the row, if there may be any. */
  private @Nullable StoredPart overflow;

  /** Whether no part is, or was, outside of the row. */
  private boolean plain;

  private KnownDocument(JsonNode root, @Nullable StoredPart overflow, boolean plain) {
    this.root = root;
    this.overflow = overflow;
    this.plain = plain;
  }

  static KnownDocument whole(JsonNode root) {
    return new KnownDocument(root, null, true);
  }

  /** Returns a document about which nothing is known. */
  static KnownDocument unknown() {
    return new KnownDocument(StoredPart.node(), null, false);
  }

  static KnownDocument stub(String row) {
    StubText stub = StubText.read(row, StoredPart::node);
    boolean empty = stub.overflow() && stub.root().isEmpty();
    return new KnownDocument(
        empty ? StoredPart.node() : stub.root(),
        stub.overflow() && !empty ? new StoredPart() : null,
        stub.document() == null);
  }

  /**
   * A value at a path, as far as it is known.
   *
   * @param known whether the value at the path, or its absence, is known
   * @param value the value, which must not be changed; null if there is nothing at the path, or if
   *     unknown
   * @param part the part to read; null if it is more than one
   * @param whole whether the path leads to the whole part
   */
  record Found(boolean known, @Nullable JsonNode value, @Nullable StoredPart part, boolean whole) {
    private static final Found NOTHING = new Found(true, null, null, false);
    private static final Found IN_PARTS = new Found(false, null, null, false);

    static Found of(@Nullable JsonNode value) {
      return value == null ? NOTHING : new Found(true, value, null, false);
    }

    /** Returns whether changes must be written before the path is read. */
    boolean needsWriting() {
      return part == null || part.isAhead();
    }
  }

  Found find(List<String> path) {
    JsonNode node = root;
    for (int i = 0; ; i++) {
      StoredPart part = StoredPart.in(node);
      if (part != null) {
        JsonNode value = part.value();
        return value == null
            ? within(part, path, i == path.size())
            : Found.of(JsonChanges.get(value, path.subList(i, path.size())));
      }
      if (i == path.size()) {
        return (i == 0 && overflow != null) || isOpen(node, i == 0)
            ? Found.IN_PARTS
            : Found.of(node);
      }
      JsonNode child = JsonChanges.get(node, path.subList(i, i + 1));
      if (child == null) {
        return i == 0 && overflow != null ? within(overflow, path, false) : Found.NOTHING;
      }
      node = child;
    }
  }

  private static Found within(StoredPart part, List<String> path, boolean whole) {
    ReadValue read = part.find(path);
    return read == null ? new Found(false, null, part, whole) : Found.of(read.value());
  }

  /** Adds the value that was read at an unknown path. */
  void learn(List<String> path, Found place, Optional<JsonNode> value) {
    StoredPart part = place.part();
    if (part != null && place.whole() && value.isPresent()) {
      part.value(value.get());
    } else if (part != null) {
      part.learn(path, value);
    } else if (path.isEmpty()) {
      root = value.orElseGet(JsonNodeFactory.instance::nullNode);
      overflow = null;
      plain = true;
    } else {
      value.ifPresent(v -> JsonChanges.set(root, path, v, false, false));
    }
  }

  /**
   * Applies a change to what is known.
   *
   * @return false if the change's place is known to be missing
   */
  boolean change(JsonEdit edit) {
    List<String> path = edit.path().steps();
    int needed = EditKinds.needsValue(edit) ? path.size() : path.size() - 1;
    JsonNode node = root;
    for (int i = 0; i <= needed; i++) {
      StoredPart part = StoredPart.in(node);
      if (part != null) {
        return change(part, edit, i);
      }
      if (i == path.size()) {
        break;
      }
      JsonNode child = JsonChanges.get(node, path.subList(i, i + 1));
      if (child == null && i == 0 && overflow != null) {
        overflow.change(edit);
        return true;
      }
      if (child == null) {
        break;
      }
      node = child;
    }
    JsonChanges.Result result = apply(root, edit, path);
    root = result.root();
    if (overflow != null
        && result.applied()
        && edit instanceof JsonEdit.Remove
        && path.size() == 1) {
      // The removed member was in the row, so no part of it is out of line.
      overflow.learn(path, Optional.empty());
    }
    return result.applied();
  }

  private static boolean change(StoredPart part, JsonEdit edit, int depth) {
    JsonNode value = part.value();
    if (value == null) {
      part.change(edit);
      return true;
    }
    List<String> path = edit.path().steps();
    JsonChanges.Result result = apply(value, edit, path.subList(depth, path.size()));
    part.value(result.root());
    return result.applied();
  }

  static JsonChanges.Result apply(JsonNode root, JsonEdit edit, List<String> path) {
    if (edit instanceof JsonEdit.Set set) {
      JsonNode value = JsonCopies.copy(set.value());
      return JsonChanges.set(root, path, value, set.createMissing(), set.createParents());
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return JsonChanges.insert(root, path, JsonCopies.copy(insert.value()), insert.after());
    }
    if (edit instanceof JsonEdit.Append append) {
      return JsonChanges.append(root, path, (ArrayNode) JsonCopies.copy(append.elements()));
    }
    if (edit instanceof JsonEdit.KeepLast keep) {
      return JsonChanges.keepLast(root, path, keep.elements());
    }
    if (edit instanceof JsonEdit.Increment increment) {
      return JsonChanges.increment(root, path, increment.delta());
    }
    if (edit instanceof JsonEdit.Remove) {
      return JsonChanges.remove(root, path);
    }
    throw JsonChanges.unknown(edit);
  }

  /** Returns whether parts are, or were, outside of the row. */
  boolean isStub() {
    return !plain;
  }

  /** Returns the document, if all of it is known; it must not be changed. */
  @Nullable JsonNode whole() {
    Found found = find(List.of());
    return found.known() ? found.value() : null;
  }

  /** Called when all changes have been written. */
  void written() {
    if (overflow != null) {
      overflow.written();
    }
    if (!plain) {
      StoredPart.forEach(root, StoredPart::written);
    }
  }

  /** Called when the changes that were written have been rolled back. */
  void notWritten() {
    if (overflow != null) {
      overflow.notWritten();
    }
    if (!plain) {
      StoredPart.forEach(root, StoredPart::notWritten);
    }
  }

  /**
   * Returns whether a part of a container is unknown; if none is, inserts all parts in their
   * places.
   */
  private boolean isOpen(JsonNode container, boolean all) {
    if (plain) {
      return false;
    }
    if (!StoredPart.fillIn(container)) {
      return true;
    }
    plain = all && overflow == null;
    return false;
  }
}
