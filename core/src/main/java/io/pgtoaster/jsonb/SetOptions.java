package io.pgtoaster.jsonb;

import java.util.Objects;

/** Options of a set. Immutable. */
public final class SetOptions {
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

  private static final SetOptions DEFAULTS =
      new SetOptions(true, false, NullTreatment.USE_JSON_NULL);

  private final boolean createMissing;
  private final boolean createParents;
  private final NullTreatment nullTreatment;

  private SetOptions(boolean createMissing, boolean createParents, NullTreatment nullTreatment) {
    if (!createMissing && createParents) {
      throw new IllegalArgumentException("parents can be created only with createMissing");
    }
    this.createMissing = createMissing;
    this.createParents = createParents;
    this.nullTreatment = Objects.requireNonNull(nullTreatment, "nullTreatment");
  }

  /** Returns options as in PostgreSQL: a missing last step is added, missing parents are not. */
  public static SetOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a different {@code createMissing}: whether a missing last step of
   * the path is added.
   */
  public SetOptions withCreateMissing(boolean on) {
    return new SetOptions(on, createParents, nullTreatment);
  }

  /**
   * Returns these options with a different {@code createParents}: whether missing parents are
   * created. A parent becomes an array if the next step is a position of up to 9 digits, else an
   * object. If the column is NULL, the document is created, too.
   */
  public SetOptions withCreateParents(boolean on) {
    return new SetOptions(createMissing, on, nullTreatment);
  }

  /** Returns these options with a different treatment of Java's null. */
  public SetOptions withNullTreatment(NullTreatment what) {
    return new SetOptions(createMissing, createParents, what);
  }

  /** Returns whether a missing last step of the path is added. */
  public boolean createMissing() {
    return createMissing;
  }

  /** Returns whether missing parents are created. */
  public boolean createParents() {
    return createParents;
  }

  /** Returns the treatment of Java's null. */
  public NullTreatment nullTreatment() {
    return nullTreatment;
  }
}
