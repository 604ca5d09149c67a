package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.BlobCapability;
import io.pgtoaster.blob.BlobToaster;
import io.pgtoaster.blob.BlobVtable;
import io.pgtoaster.column.AttachedColumn;
import java.util.EnumSet;
import java.util.Set;

/** The toaster {@code appendable}: content in chunk tables, a bigint handle in the column. */
public final class AppendableBlobToaster implements BlobToaster {
  /** Creates the toaster; called by {@link java.util.ServiceLoader}. */
  public AppendableBlobToaster() {}

  @Override
  public String name() {
    return "appendable";
  }

  @Override
  public Set<BlobCapability> capabilities() {
    return Set.copyOf(EnumSet.allOf(BlobCapability.class));
  }

  @Override
  public BlobVtable vtable(AttachedColumn column) {
    AppendableVtable sql = new AppendableVtable(Store.of(column));
    return column.extension() ? new ExtensionVtable(column, sql) : sql;
  }
}
