package io.pgtoaster.jsonb.keyed.format;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The members that stay in the row: the option {@code keep_inline}. Immutable.
 *
 * @param whole paths of values that stay as a whole, in escaped keys
 * @param partly prefixes of these paths
 */
public record PinnedPaths(Set<List<String>> whole, Set<List<String>> partly) {
  /** The part of a member that stays in the row. */
  public enum Pin {
    NONE,
    PARTLY,
    WHOLE
  }

  public PinnedPaths {
    whole = Set.copyOf(whole);
    partly = Set.copyOf(partly);
  }

  /** Reads the option, a JSON array of JSON Pointers. */
  public static PinnedPaths parse(String option) {
    Set<List<String>> whole = new HashSet<>();
    Set<List<String>> partly = new HashSet<>();
    for (JsonNode pointer : Json.readTree(option)) {
      List<String> steps =
          DocumentPath.parse(pointer.asString()).steps().stream().map(Markers::escape).toList();
      whole.add(steps);
      for (int i = 1; i < steps.size(); i++) {
        partly.add(steps.subList(0, i));
      }
    }
    return new PinnedPaths(whole, partly);
  }

  /** Returns the bytes of the pinned members of a document, with their keys. */
  long size(JsonNode document) {
    long size = 0;
    for (List<String> path : whole) {
      JsonNode parent = document;
      for (int i = 0; i < path.size() - 1 && parent != null && parent.isObject(); i++) {
        // A path below a pinned one is included in the pinned one.
        parent = whole.contains(path.subList(0, i + 1)) ? null : parent.get(path.get(i));
      }
      String key = path.get(path.size() - 1);
      JsonNode value = parent != null && parent.isObject() ? parent.get(key) : null;
      size += value == null ? 0 : JsonbSize.member(key, value);
    }
    return size;
  }

  public Pin of(List<String> path) {
    return whole.contains(path) ? Pin.WHOLE : partly.contains(path) ? Pin.PARTLY : Pin.NONE;
  }
}
