package io.pgtoaster.jsonb;

import java.util.Objects;

/**
 * Options of a set.
 *
 * @param createMissing whether a missing last step of the path is added
 * @param missingParents what becomes of a path whose parents are not there
 * @param nullTreatment what Java's null does
 */
public record SetOptions(
    boolean createMissing, MissingParents missingParents, NullTreatment nullTreatment) {
  private static final SetOptions DEFAULTS =
      new SetOptions(true, MissingParents.IGNORE, NullTreatment.USE_JSON_NULL);

  /**
   * Checks that parents are not to be made for nothing.
   *
   * @param createMissing as the component says
   * @param missingParents as the component says
   * @param nullTreatment as the component says
   */
  public SetOptions {
    Objects.requireNonNull(missingParents, "missingParents");
    Objects.requireNonNull(nullTreatment, "nullTreatment");
    if (!createMissing && missingParents == MissingParents.CREATE) {
      throw new IllegalArgumentException("parents can be created only with createMissing");
    }
  }

  /**
   * Returns what PostgreSQL does: a missing last step is added, missing parents are not.
   *
   * @return the defaults
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
}
