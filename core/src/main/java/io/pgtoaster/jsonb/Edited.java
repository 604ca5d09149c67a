package io.pgtoaster.jsonb;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Components as the methods of {@link EditOutcome}. */
record Edited(boolean applied, @Nullable BigDecimal number, boolean conflict)
    implements EditOutcome {}
