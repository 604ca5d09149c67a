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
   * @return what PostgreSQL does: a missing last step is added, missing parents are not
   */
  public static SetOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with missing last steps added or not.
   *
   * @param on whether they are
   * @return new options
   */
  public SetOptions withCreateMissing(boolean on) {
    return new SetOptions(on, missingParents, nullTreatment);
  }

  /**
   * Returns these options with another way to treat missing parents.
   *
   * @param what becomes of them
   * @return new options
   */
  public SetOptions withMissingParents(MissingParents what) {
    return new SetOptions(createMissing, what, nullTreatment);
  }

  /**
   * Returns these options with another way to treat Java's null.
   *
   * @param what it does
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
   * Returns what becomes of a path whose parents are not there.
   *
   * @return what becomes of it
   */
  public MissingParents missingParents() {
    return missingParents;
  }

  /**
   * Returns what Java's null does.
   *
   * @return what it does
   */
  public NullTreatment nullTreatment() {
    return nullTreatment;
  }
}
