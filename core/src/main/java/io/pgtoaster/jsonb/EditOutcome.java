package io.pgtoaster.jsonb;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What an edit did.
 *
 * @param applied whether its path was found, so that the document is now as the edit says
 * @param number the new number of an increment; null for other edits
 */
public record EditOutcome(boolean applied, @Nullable BigDecimal number) {
  /** The path was not found; nothing was changed. */
  public static final EditOutcome MISSED = new EditOutcome(false, null);

  /** Done. */
  public static final EditOutcome APPLIED = new EditOutcome(true, null);
}
