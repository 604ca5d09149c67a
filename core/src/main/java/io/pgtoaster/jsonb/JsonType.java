package io.pgtoaster.jsonb;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Type of a JSON value, as {@code jsonb_typeof} names it. */
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
   * Finds a type.
   *
   * @param name as {@code jsonb_typeof} returns it
   * @return the type
   * @throws IllegalArgumentException if there is none of that name
   */
  public static JsonType named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * Tells the type of a value.
   *
   * @param value as {@code jsonb} can hold it
   * @return its type
   */
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

  /**
   * Tells whether values of this type hold others.
   *
   * @return true for an object and an array
   */
  public boolean isContainer() {
    return this == OBJECT || this == ARRAY;
  }
}
