package io.pgtoaster.jsonb;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The outcome of an edit. */
public sealed interface EditOutcome permits Edited {
  /** The path was not found; nothing was changed. */
  EditOutcome MISSED = new Edited(false, null, false);

  /** The edit was applied. */
  EditOutcome APPLIED = new Edited(true, null, false);

  /** The value at the path was not the expected one; nothing was changed. */
  EditOutcome CONFLICT = new Edited(false, null, true);

  /** {@return whether the path was found and the edit applied} */
  boolean applied();

  /** {@return the new number of an increment; null for other edits} */
  @Nullable BigDecimal number();

  /** {@return whether nothing was changed because the value was not the expected one} */
  boolean conflict();

  /**
   * Creates an outcome without a conflict, for implementers of toasters.
   *
   * @param applied see the method
   * @param number see the method
   * @return the outcome
   */
  static EditOutcome of(boolean applied, @Nullable BigDecimal number) {
    return new Edited(applied, number, false);
  }
}
