package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.GcRun;
import java.util.EnumSet;
import java.util.Set;

/**
 * Implements the toaster {@code appendable}: the column holds a bigint handle, and chunk tables
 * hold the content.
 */
public final class AppendableBlobToaster implements BlobToaster {
  private static final Set<BlobCapability> ALL = Set.copyOf(EnumSet.allOf(BlobCapability.class));

  /** Creates the toaster; called by {@link java.util.ServiceLoader}. */
  public AppendableBlobToaster() {}

  @Override
  public String name() {
    return BlobOptions.TOASTER;
  }

  @Override
  public Set<BlobCapability> capabilities() {
    return ALL;
  }

  @Override
  public Executor executor() {
    return Executor.EXTENSION;
  }

  @Override
  public BlobVtable vtable(AttachedColumn column) {
    Store store = Store.of(column);
    // The extension rejects the tables of an older catalog, which have no routines of this version.
    return column.extension() && column.routines()
        ? new ExtensionVtable(column, store)
        : new AppendableVtable(store);
  }

  @Override
  public void collect(GcRun run) {
    GcStore.collect(run);
  }
}
