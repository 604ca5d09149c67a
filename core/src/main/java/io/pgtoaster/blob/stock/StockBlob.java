package io.pgtoaster.blob.stock;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.PinnedBlob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a value when it was read. The value may have changed since. */
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
