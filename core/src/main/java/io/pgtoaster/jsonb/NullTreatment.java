package io.pgtoaster.jsonb;

/** Treatment of Java's null in a set, as in PostgreSQL's {@code jsonb_set_lax}. */
public enum NullTreatment {
  /** Sets the JSON null. */
  USE_JSON_NULL,
  /** Throws an {@link io.pgtoaster.error.InvalidJsonException}. */
  RAISE_EXCEPTION,
  /** Removes the value at the path, which must have steps. */
  DELETE_KEY,
  /** Leaves the document as it is. */
  RETURN_TARGET
}
