package io.pgtoaster;

import io.pgtoaster.error.PgToasterException;

/**
 * A store that {@link Catalog#gc} could not process completely. What was removed before the failure
 * is listed in {@link GcReport#items()}.
 */
public sealed interface GcFailure permits GarbageCollection.LeftStore {
  /** {@return number of the store} */
  int store();

  /** {@return the cause, with the name of the column} */
  PgToasterException cause();
}
