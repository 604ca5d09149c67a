package io.pgtoaster.examples.app.film;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an object or an array holds at one place.
 *
 * @param step key or position
 * @param type in words of JSON
 * @param text of a string, its characters; of a number, its digits, of which a browser's own
 *     numbers would lose some; null for an object or an array
 * @param entries of an object or an array that is small, all that it holds
 */
record Entry(String step, String type, @Nullable String text, @Nullable List<Entry> entries) {
  /** Characters of JSON up to which an object or an array is sent with the page it stands on. */
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
