package io.pgtoaster;

import io.pgtoaster.error.PgToasterException;

/**
 * A store that {@link Catalog#gc} has left, wholly or from some step on; what it had removed before
 * is among the items.
 *
 * @param store number of the store
 * @param cause why, with the name of its column
 */
public record GcFailure(int store, PgToasterException cause) {}
