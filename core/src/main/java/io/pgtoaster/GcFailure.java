package io.pgtoaster;

import io.pgtoaster.error.PgToasterException;

/**
 * A store that {@link Catalog#gc} could not process completely. What was removed before the failure
 * is listed in {@link GcReport#items()}.
 *
 * @param store number of the store
 * @param cause the cause, with the name of the column
 */
public record GcFailure(int store, PgToasterException cause) {}
