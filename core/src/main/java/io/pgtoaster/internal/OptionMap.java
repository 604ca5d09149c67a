package io.pgtoaster.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a column under the names of the catalog; immutable.
 *
 * @param values by name
 */
public record OptionMap(Map<String, String> values) {
  /** No options; the server's defaults apply. */
  public static final OptionMap EMPTY = new OptionMap(Map.of());

  /** Returns these options with a different value; null removes it. */
  public OptionMap with(String name, @Nullable Object value) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    if (value == null) {
      changed.remove(name);
    } else {
      changed.put(name, value instanceof Enum<?> e ? lower(e) : value.toString());
    }
    return new OptionMap(Collections.unmodifiableMap(changed));
  }

  /** Returns these options with a number, which must be within a range. */
  public OptionMap with(String name, String shown, @Nullable Integer number, int least, int most) {
    if (number != null && (number < least || number > most)) {
      throw new IllegalArgumentException(
          shown + " " + number + " is not between " + least + " and " + most);
    }
    return with(name, number);
  }

  private static String lower(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns these options with the store's tables in the schema of the owner table, or in
   * pgtoaster.
   */
  public OptionMap withInOwnerSchema(@Nullable Boolean on) {
    return with("store_schema", on == null ? null : on ? "owner" : "pgtoaster");
  }
}
