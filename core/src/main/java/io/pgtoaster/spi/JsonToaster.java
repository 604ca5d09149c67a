package io.pgtoaster.spi;

import io.pgtoaster.column.JsonCapability;

/**
 * A way to store JSON documents, chosen by name for each column. {@link java.util.ServiceLoader}
 * finds the implementations, so any jar can provide one.
 */
public interface JsonToaster extends Toaster<JsonCapability, JsonVtable> {
  /**
   * Returns the operations on one column, which are thread-safe.
   *
   * @param column an attached column, or for the toaster {@code default} any {@code jsonb} column
   * @throws io.pgtoaster.error.ColumnNotFoundException if the toaster does not support the column's
   *     type
   */
  @Override
  JsonVtable vtable(AttachedColumn column);
}
