package io.pgtoaster.spi;

import io.pgtoaster.column.BlobCapability;

/**
 * A way to store blobs, chosen by name for each column. {@link java.util.ServiceLoader} loads the
 * implementations, so any jar can contain one.
 */
public interface BlobToaster extends Toaster<BlobCapability, BlobVtable> {
  /**
   * Returns the operations on one column, which are thread-safe.
   *
   * @param column an attached column, or for the toaster {@code default} any {@code bytea} or
   *     {@code text} column
   * @throws io.pgtoaster.error.ColumnNotFoundException if the toaster does not support the column's
   *     type
   */
  @Override
  BlobVtable vtable(AttachedColumn column);
}
