package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Changes in the order in which they were made. Changes at the same path are merged. Not
 * thread-safe.
 */
final class Changes {
  private final List<Change> list = new ArrayList<>();

  boolean isEmpty() {
    return list.isEmpty();
  }

  List<Change> list() {
    return list;
  }

  /** Adds changes that were made before the current ones. */
  void prepend(List<Change> before) {
    list.addAll(0, before);
  }

  void clear() {
    list.clear();
  }

  void add(Change change) {
    int at = list.size() - 1;
    while (at >= 0 && areIndependent(list.get(at).edit(), change.edit())) {
      at--;
    }
    Change merged = at < 0 ? null : merged(list.get(at), change);
    if (merged == null) {
      list.add(change);
    } else {
      list.set(at, merged);
    }
  }

  /** Returns whether two changes can be made in either order. */
  private static boolean areIndependent(JsonEdit one, JsonEdit other) {
    return keepsPositions(one)
        && keepsPositions(other)
        && !begins(one.path(), other.path())
        && !begins(other.path(), one.path());
  }

  private static boolean keepsPositions(JsonEdit edit) {
    return edit.path().steps().stream().noneMatch(Changes::mayBePosition) && !edit.path().isRoot();
  }

  private static boolean mayBePosition(String step) {
    return !step.isEmpty() && Character.isDigit(step.charAt(step.length() - 1));
  }

  private static boolean begins(DocumentPath path, DocumentPath other) {
    int length = path.steps().size();
    return length <= other.steps().size() && other.steps().subList(0, length).equals(path.steps());
  }

  /** Returns one change with the effect of two successive ones; null if that is impossible. */
  private static @Nullable Change merged(Change first, Change second) {
    if (!first.edit().path().equals(second.edit().path())) {
      return null;
    }
    if (first.edit() instanceof JsonEdit.Set && second.edit() instanceof JsonEdit.Set set) {
      ReadValue seen = first.seen();
      boolean wasThere = seen != null && seen.value() != null;
      return wasThere || keepsPositions(set) ? new Change(set, seen) : null;
    }
    if (first.edit() instanceof JsonEdit.Increment one
        && second.edit() instanceof JsonEdit.Increment two) {
      return new Change(
          new JsonEdit.Increment(one.path(), one.delta().add(two.delta())), first.seen());
    }
    if (first.edit() instanceof JsonEdit.Append one
        && second.edit() instanceof JsonEdit.Append two) {
      ArrayNode all =
          JsonNodeFactory.instance.arrayNode(one.elements().size() + two.elements().size());
      one.elements().forEach((JsonNode e) -> all.add(e));
      two.elements().forEach((JsonNode e) -> all.add(e));
      return new Change(new JsonEdit.Append(one.path(), all), first.seen());
    }
    return null;
  }
}
