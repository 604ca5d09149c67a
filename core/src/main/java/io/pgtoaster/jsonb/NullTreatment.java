package io.pgtoaster.jsonb;

/** What a set with Java's null does, as PostgreSQL's {@code jsonb_set_lax} has it. */
public enum NullTreatment {
  /** Sets the JSON null. */
  USE_JSON_NULL,
  /** Throws an {@link io.pgtoaster.error.InvalidJsonException}. */
  RAISE_EXCEPTION,
  /** Removes what is at the path. */
  DELETE_KEY,
  /** Leaves the document as it is. */
  RETURN_TARGET
}
