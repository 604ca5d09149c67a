package io.pgtoaster;

import io.pgtoaster.error.PgToasterException;

/**
 * A store that {@link Catalog#gc} has left, wholly or from some step on; what it had removed before
 * is among the items.
 */
public sealed interface GcFailure permits GarbageCollection.LeftStore {
  /** {@return number of the store} */
  int store();

  /** {@return why, with the name of its column} */
  PgToasterException cause();
}
