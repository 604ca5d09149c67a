package io.pgtoaster.internal.column;

import java.util.Collection;

/** A call on several rows. */
public interface BatchContext extends OperationContext {
  @Override
  Collection<?> keys();

  @Override
  default Object key() {
    return keys().size() + " rows";
  }

  @Override
  default String describe(String column) {
    return column + ", " + key();
  }
}
