package io.pgtoaster.jsonb;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What an edit did. */
public sealed interface EditOutcome permits Edited {
  /** The path was not found; nothing was changed. */
  EditOutcome MISSED = new Edited(false, null, false);

  /** Done. */
  EditOutcome APPLIED = new Edited(true, null, false);

  /** The value there was not the one expected; nothing was changed. */
  EditOutcome CONFLICT = new Edited(false, null, true);

  /** {@return whether its path was found, so that the document is now as the edit says} */
  boolean applied();

  /** {@return the new number of an increment; null for other edits} */
  @Nullable BigDecimal number();

  /** {@return whether nothing was changed because the value there was not the one expected} */
  boolean conflict();

  /**
   * Makes an outcome without a conflict, for toasters.
   *
   * @param applied as its method says
   * @param number as its method says
   * @return what they say
   */
  static EditOutcome of(boolean applied, @Nullable BigDecimal number) {
    return new Edited(applied, number, false);
  }
}
