package io.pgtoaster.internal.json;

import tools.jackson.databind.JsonNode;

/** Recognises the part of a split document that is in the row. */
public final class RowPart {
  /** The key of the header in a split document, and of a marker for a member out of line. */
  public static final String KEY = "$pgtoaster";

  private RowPart() {}

  /**
   * Returns whether a value, as PostgreSQL prints it, is only a part of a split document: it has a
   * header, or is a marker. An application's document can have the same key, but is unlikely to
   * have such a value.
   */
  public static boolean is(String text) {
    if (!text.contains(KEY)) {
      return false;
    }
    JsonNode value = Json.readTree(text);
    JsonNode marker = value.get(KEY);
    if (marker == null) {
      return false;
    }
    return marker.isArray()
        ? !marker.isEmpty() && marker.valueStream().allMatch(JsonNode::isIntegralNumber)
        : marker.isIntegralNumber() && value.size() == 1;
  }
}
