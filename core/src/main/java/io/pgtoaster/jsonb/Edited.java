package io.pgtoaster.jsonb;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Implements {@link EditOutcome}; the components are its methods. */
record Edited(boolean applied, @Nullable BigDecimal number, boolean conflict)
    implements EditOutcome {}
