package io.pgtoaster.spring.tus;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** The header {@code Upload-Metadata}: comma-separated names with values in Base64. */
final class Metadata {
  private Metadata() {}

  static Map<String, String> parse(String header) {
    Map<String, String> values = new LinkedHashMap<>();
    if (header.isBlank()) {
      return values;
    }
    for (String pair : header.split(",", -1)) {
      String trimmed = pair.strip();
      int space = trimmed.indexOf(' ');
      String name = space < 0 ? trimmed : trimmed.substring(0, space);
      String value = space < 0 ? "" : decode(trimmed.substring(space + 1).strip());
      if (name.isEmpty() || values.put(name, value) != null) {
        throw new TusException(400, "Upload-Metadata has an empty or a duplicate name");
      }
    }
    return values;
  }

  private static String decode(String value) {
    try {
      return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new TusException(400, "Upload-Metadata has a value that is not Base64");
    }
  }
}
