package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.BlobCapability;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.util.Optional;

/**
 * Discards the beginning of blobs. Appends that keep the last bytes discard only when they pass a
 * multiple of a step, so that most of them need no second statement.
 */
record Retention(ColumnAccess<BlobToaster, BlobVtable> access) {
  private static final long MIN_STEP = 256 << 10;

  /** The number of steps in the bytes to keep. */
  private static final int STEPS = 8;

  long discardBefore(Object key, long offset) {
    return access.writeOrTransact(
        new BlobOperation("discard", key, offset, -1),
        (c, column, row) -> Optional.ofNullable(column.vtable().tryDiscard(c, row, offset)),
        (c, column, row) -> column.vtable().discard(c, row, offset));
  }

  /** Throws an exception before an append if its column cannot discard. */
  void require(AppendOptions options) {
    if (options.keepLast() != null) {
      access.require(BlobCapability.DISCARD);
    }
  }

  /** Discards old bytes after an append. */
  AppendResult applied(Object key, AppendOptions options, AppendResult result) {
    Long keep = options.keepLast();
    if (keep == null) {
      return result;
    }
    long step = Math.max(MIN_STEP, keep / STEPS);
    if (result.offset() / step == result.end() / step || result.end() <= keep) {
      return result;
    }
    try {
      discardBefore(key, result.end() - keep);
    } catch (PgToasterException e) {
      if (!isCommitted()) {
        throw e;
      }
      // An exception would make the caller repeat an append that was committed.
      System.getLogger("io.pgtoaster")
          .log(Level.WARNING, "an append succeeded, but older bytes could not be discarded", e);
    }
    return result;
  }

  private boolean isCommitted() {
    return access.connections().connectionPerCall()
        || access.connections().<Boolean>read(Connection::getAutoCommit);
  }
}
