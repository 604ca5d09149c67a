package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Discards old bytes after appends that keep only the last bytes. They discard only when they pass
 * a multiple of a step, so that most of them need no second statement.
 */
record Retention(ColumnAccess<BlobToaster, BlobVtable> access, Edits edits) {
  private static final long MIN_STEP = 256 << 10;

  /** The number of steps in the bytes to keep. */
  private static final int STEPS = 8;

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
      edits.discard(key, result.end() - keep);
    } catch (PgToasterException e) {
      if (access.connections().inCallersTransaction()) {
        throw e;
      }
      // An exception would make the caller repeat an append that was committed.
      System.getLogger("io.pgtoaster")
          .log(Level.WARNING, "an append succeeded, but older bytes could not be discarded", e);
    }
    return result;
  }

  /** Discards old bytes after an append of a batch, unless it failed. */
  void applied(Object key, AppendOptions options, @Nullable AppendOutcome outcome) {
    if (outcome != null && outcome.result() != null) {
      AppendResult unused = applied(key, options, outcome.result());
    }
  }
}
