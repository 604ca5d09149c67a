package io.pgtoaster.column;

import java.util.Map;
import java.util.Objects;

/** Options of any toaster. */
record NamedOptions(String toaster, Map<String, String> toMap) implements ToasterOptions {
  NamedOptions {
    Objects.requireNonNull(toaster, "toaster");
    toMap = Map.copyOf(toMap);
  }
}
