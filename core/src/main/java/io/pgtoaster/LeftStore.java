package io.pgtoaster;

import io.pgtoaster.error.PgToasterException;

/** Components as the methods of {@link GcFailure}. */
record LeftStore(int store, PgToasterException cause) implements GcFailure {}
