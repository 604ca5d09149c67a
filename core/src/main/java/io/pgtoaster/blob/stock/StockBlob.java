package io.pgtoaster.blob.stock;

import io.pgtoaster.blob.PinnedBlob;
import io.pgtoaster.column.RowKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A value when it was read; later changes do not affect this record, but change what readers find.
 */
record StockBlob(RowKey key, long length) implements PinnedBlob {
  @Override
  public long generation() {
    return 0;
  }

  @Override
  public boolean sealed() {
    return false;
  }

  @Override
  public @Nullable Instant createdAt() {
    return null;
  }
}
