package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.internal.json.JsonEquality;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares the positions of an array's elements with those of the stored array. A class may reorder
 * elements, drop some, or read other names. Its positions then say nothing about the stored array.
 */
final class ArrayAlignment {
  /** A member of the elements. */
  private record Member(@Nullable Member of, String key) {}

  /**
   * Values that the class returns for members that are not stored. All elements share one value.
   */
  private final Map<Member, JsonNode> defaults = new HashMap<>();

  private ArrayAlignment() {}

  /**
   * Compares an array with the stored one.
   *
   * @param view the array as the class returns it
   * @param stored the array; its elements may have members that the class does not know
   * @return whether each element has the same position as the stored one
   */
  static boolean in(JsonNode view, JsonNode stored) {
    return new ArrayAlignment().same(view, stored, null);
  }

  private boolean same(JsonNode view, JsonNode stored, @Nullable Member at) {
    if (view.isArray()) {
      return stored.isArray() && elements(view, stored, at);
    }
    if (view.isObject()) {
      return stored.isObject() && members(view, stored, at);
    }
    return JsonEquality.equal(view, stored);
  }

  private boolean elements(JsonNode view, JsonNode stored, @Nullable Member at) {
    if (view.size() != stored.size()) {
      return false;
    }
    for (int i = 0; i < view.size(); i++) {
      if (!same(view.get(i), stored.get(i), at)) {
        return false;
      }
    }
    return true;
  }

  private boolean members(JsonNode view, JsonNode stored, @Nullable Member at) {
    for (Map.Entry<String, JsonNode> member : view.properties()) {
      JsonNode there = stored.get(member.getKey());
      Member name = new Member(at, member.getKey());
      if (there == null) {
        JsonNode other = defaults.putIfAbsent(name, member.getValue());
        if (other != null && !JsonEquality.equal(other, member.getValue())) {
          return false;
        }
      } else if (!same(member.getValue(), there, name)) {
        return false;
      }
    }
    return true;
  }
}
