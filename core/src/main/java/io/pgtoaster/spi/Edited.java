package io.pgtoaster.spi;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an edit.
 *
 * @param applied whether the document was changed as requested
 * @param number the new number of an increment that was applied; null for other edits
 * @param conflict whether nothing was changed because the value was not the expected one
 */
public record Edited(boolean applied, @Nullable BigDecimal number, boolean conflict) {
  /** The path was not found; nothing was changed. */
  public static final Edited MISSED = new Edited(false, null, false);

  /** The edit was applied. */
  public static final Edited APPLIED = new Edited(true, null, false);

  /** The value at the path was not the expected one; nothing was changed. */
  public static final Edited CONFLICT = new Edited(false, null, true);
}
