package io.pgtoaster.jsonb;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What an edit did.
 *
 * @param applied whether its path was found, so that the document is now as the edit says
 * @param number the new number of an increment; null for other edits
 * @param conflict whether nothing was changed because the value there was not the one expected
 */
public record EditOutcome(boolean applied, @Nullable BigDecimal number, boolean conflict) {
  /** The path was not found; nothing was changed. */
  public static final EditOutcome MISSED = new EditOutcome(false, null);

  /** Done. */
  public static final EditOutcome APPLIED = new EditOutcome(true, null);

  /** The value there was not the one expected; nothing was changed. */
  public static final EditOutcome CONFLICT = new EditOutcome(false, null, true);

  /**
   * Makes an outcome without a conflict.
   *
   * @param applied as the component says
   * @param number as the component says
   */
  public EditOutcome(boolean applied, @Nullable BigDecimal number) {
    this(applied, number, false);
  }
}
