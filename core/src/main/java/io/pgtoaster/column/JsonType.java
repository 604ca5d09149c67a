package io.pgtoaster.column;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Type of a JSON value, as in {@code jsonb_typeof}. */
public enum JsonType {
  /** An object. */
  OBJECT,
  /** An array. */
  ARRAY,
  /** A string. */
  STRING,
  /** A number. */
  NUMBER,
  /** True or false. */
  BOOLEAN,
  /** The JSON null. */
  NULL;

  /**
   * Returns the type with a name.
   *
   * @param name as {@code jsonb_typeof} returns it
   * @throws IllegalArgumentException if no type has that name
   */
  public static JsonType named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Returns the type of a value that {@code jsonb} can store. */
  public static JsonType of(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> OBJECT;
      case ARRAY -> ARRAY;
      case NUMBER -> NUMBER;
      case BOOLEAN -> BOOLEAN;
      case NULL -> NULL;
      default -> STRING;
    };
  }

  /** Returns whether values of this type contain other values: true for an object and an array. */
  public boolean isContainer() {
    return this == OBJECT || this == ARRAY;
  }
}
