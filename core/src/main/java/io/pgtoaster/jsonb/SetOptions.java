package io.pgtoaster.jsonb;

import java.util.Objects;

/** Options of a set. Immutable. */
public final class SetOptions {
  private static final SetOptions DEFAULTS =
      new SetOptions(true, MissingParents.IGNORE, NullTreatment.USE_JSON_NULL);

  private final boolean createMissing;
  private final MissingParents missingParents;
  private final NullTreatment nullTreatment;

  private SetOptions(
      boolean createMissing, MissingParents missingParents, NullTreatment nullTreatment) {
    if (!createMissing && missingParents == MissingParents.CREATE) {
      throw new IllegalArgumentException("parents can be created only with createMissing");
    }
    this.createMissing = createMissing;
    this.missingParents = Objects.requireNonNull(missingParents, "missingParents");
    this.nullTreatment = Objects.requireNonNull(nullTreatment, "nullTreatment");
  }

  /**
   * Returns the defaults.
   *
   * @return options as in PostgreSQL: a missing last step is added, missing parents are not
   */
  public static SetOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with missing last steps added or not.
   *
   * @param on whether to add them
   * @return new options
   */
  public SetOptions withCreateMissing(boolean on) {
    return new SetOptions(on, missingParents, nullTreatment);
  }

  /**
   * Returns these options with another treatment of missing parents.
   *
   * @param what the treatment
   * @return new options
   */
  public SetOptions withMissingParents(MissingParents what) {
    return new SetOptions(createMissing, what, nullTreatment);
  }

  /**
   * Returns these options with another treatment of Java's null.
   *
   * @param what the treatment
   * @return new options
   */
  public SetOptions withNullTreatment(NullTreatment what) {
    return new SetOptions(createMissing, missingParents, what);
  }

  /**
   * Returns whether a missing last step of the path is added.
   *
   * @return true if so
   */
  public boolean createMissing() {
    return createMissing;
  }

  /**
   * Returns the treatment of a path whose parents are missing.
   *
   * @return the treatment
   */
  public MissingParents missingParents() {
    return missingParents;
  }

  /**
   * Returns the treatment of Java's null.
   *
   * @return the treatment
   */
  public NullTreatment nullTreatment() {
    return nullTreatment;
  }
}
