package io.pgtoaster.examples.app.film;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A member of an object, or an element of an array.
 *
 * @param step key or position
 * @param type name of its JSON type
 * @param text characters of a string, or digits of a number as text, because numbers in the browser
 *     would lose digits; null for an object or an array
 * @param entries all entries of a small object or array; null otherwise
 */
record Entry(String step, String type, @Nullable String text, @Nullable List<Entry> entries) {
  /** Objects and arrays up to this size, in characters of JSON, are sent with their container. */
  private static final int SMALL = 4096;

  static Entry of(String step, JsonNode value) {
    String type = value.getNodeType().name().toLowerCase(Locale.ROOT);
    if (!value.isContainer()) {
      return new Entry(step, type, value.isString() ? value.asString() : value.toString(), null);
    }
    return value.toString().length() > SMALL
        ? large(step, type)
        : new Entry(step, type, null, all(value));
  }

  static Entry large(String step, String type) {
    return new Entry(step, type, null, null);
  }

  private static List<Entry> all(JsonNode container) {
    List<Entry> entries = new ArrayList<>();
    if (container.isArray()) {
      container.forEach(element -> entries.add(of(Integer.toString(entries.size()), element)));
    } else {
      container.forEachEntry((key, value) -> entries.add(of(key, value)));
    }
    return entries;
  }
}
