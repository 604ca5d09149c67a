package io.pgtoaster.column;

import java.util.Map;
import java.util.Objects;

/** The toaster to attach a column to, and its options. Immutable. */
public interface ToasterOptions {
  /**
   * Returns the options of any toaster.
   *
   * @param toaster name of a toaster on the class path
   * @param options to set, keyed by the toaster's names for them; all others keep its defaults
   */
  static ToasterOptions of(String toaster, Map<String, String> options) {
    record NamedOptions(String toaster, Map<String, String> toMap) implements ToasterOptions {
      NamedOptions {
        Objects.requireNonNull(toaster, "toaster");
        toMap = Map.copyOf(toMap);
      }
    }
    return new NamedOptions(toaster, options);
  }

  /** Returns the defaults of a toaster on the class path, which set nothing. */
  static ToasterOptions of(String toaster) {
    return of(toaster, Map.of());
  }

  /** Returns the toaster. */
  String toaster();

  /** Returns the options that are set, by their names in the catalog. */
  Map<String, String> toMap();
}
