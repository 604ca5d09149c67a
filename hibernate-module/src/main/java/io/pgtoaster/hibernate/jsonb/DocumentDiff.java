package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Computes the edits that turn one value of a class into another, leaf by leaf. The edits apply to
 * the stored document. If the stored document lacks a place, or has other elements at the
 * positions, the whole value is set.
 */
final class DocumentDiff {
  /**
   * Maximum number of edits of one array; if there are more, it is better to set the whole array.
   */
  private static final int MAX_ELEMENT_EDITS = 16;

  private final List<JsonEdit> edits = new ArrayList<>();

  private DocumentDiff() {}

  /**
   * Compares two values.
   *
   * @param before an object or array
   * @param after of the same type
   * @param stored the document that the edits are for
   * @return edits, to be applied in this order
   */
  static List<JsonEdit> of(JsonNode before, JsonNode after, JsonNode stored) {
    DocumentDiff diff = new DocumentDiff();
    diff.compare(DocumentPath.root(), before, after, stored);
    return diff.edits;
  }

  /** Returns whether edits can turn one value into the other; if not, it must be replaced. */
  static boolean isPossible(JsonNode before, JsonNode after) {
    return (before.isObject() && after.isObject()) || (before.isArray() && after.isArray());
  }

  private void compare(
      DocumentPath path, JsonNode before, JsonNode after, @Nullable JsonNode stored) {
    if (stored != null && stored.isObject() && before.isObject() && after.isObject()) {
      members(path, before, after, stored);
    } else if (!JsonEquality.equal(before, after)) {
      if (stored != null
          && before instanceof ArrayNode old
          && after instanceof ArrayNode now
          && ArrayAlignment.in(old, stored)) {
        elements(path, old, now, stored);
      } else {
        whole(path, after);
      }
    }
  }

  private void members(DocumentPath path, JsonNode before, JsonNode after, JsonNode stored) {
    for (String key : new TreeSet<>(before.propertyNames())) {
      if (!after.has(key) && stored.has(key)) {
        edits.add(new JsonEdit.Remove(path.key(key)));
      }
    }
    for (Map.Entry<String, JsonNode> member : after.properties()) {
      String key = member.getKey();
      JsonNode old = before.get(key);
      if (old == null) {
        whole(path.key(key), member.getValue());
      } else {
        compare(path.key(key), old, member.getValue(), stored.get(key));
      }
    }
  }

  private void elements(DocumentPath path, ArrayNode before, ArrayNode after, JsonNode stored) {
    int shorter = Math.min(before.size(), after.size());
    int same = 0;
    while (same < shorter && JsonEquality.equal(before.get(same), after.get(same))) {
      same++;
    }
    if (before.size() == after.size()) {
      each(path, before, after, stored, same);
      return;
    }
    int end = 0;
    while (end < shorter - same
        && JsonEquality.equal(
            before.get(before.size() - 1 - end), after.get(after.size() - 1 - end))) {
      end++;
    }
    int removed = before.size() - same - end;
    int added = after.size() - same - end;
    if (removed == 0 && end == 0) {
      ArrayNode behind = JsonNodeFactory.instance.arrayNode(added);
      for (int i = same; i < after.size(); i++) {
        behind.add(after.get(i));
      }
      edits.add(new JsonEdit.Append(path, behind));
    } else if (removed == 0 && added <= MAX_ELEMENT_EDITS) {
      for (int i = 0; i < added; i++) {
        edits.add(new JsonEdit.Insert(path.index(same + i), after.get(same + i), false));
      }
    } else if (added == 0 && removed <= MAX_ELEMENT_EDITS) {
      for (int i = removed - 1; i >= 0; i--) {
        edits.add(new JsonEdit.Remove(path.index(same + i)));
      }
    } else {
      whole(path, after);
    }
  }

  private void each(
      DocumentPath path, ArrayNode before, ArrayNode after, JsonNode stored, int from) {
    int start = edits.size();
    for (int i = from; i < before.size(); i++) {
      compare(path.index(i), before.get(i), after.get(i), stored.get(i));
      if (edits.size() - start > MAX_ELEMENT_EDITS && !path.isRoot()) {
        edits.subList(start, edits.size()).clear();
        whole(path, after);
        return;
      }
    }
  }

  private void whole(DocumentPath path, JsonNode after) {
    edits.add(new JsonEdit.Set(path, after, true));
  }
}
