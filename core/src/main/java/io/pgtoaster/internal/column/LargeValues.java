package io.pgtoaster.internal.column;

import io.pgtoaster.spi.AttachedColumn;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Warns about large values of columns that are not attached, once per column and JVM. */
public final class LargeValues {
  /**
   * From this size on, each change can log more than 1 MB, because PostgreSQL rewrites the whole
   * value.
   */
  private static final long LARGE = 1 << 20;

  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private LargeValues() {}

  /**
   * Logs a warning if a value is large and its column is not attached.
   *
   * @param column column that the value was written to
   * @param remedy the call that attaches the column, for the message
   */
  public static void written(AttachedColumn column, long size, String remedy) {
    if (size > LARGE && column.store() == 0 && WARNED.add(column.describe())) {
      System.getLogger("io.pgtoaster")
          .log(
              Level.WARNING,
              "the column {0} is not attached, so each change rewrites its value, which has {1}"
                  + " bytes now; call catalog().{2}",
              column.describe(),
              Long.toString(size),
              remedy.formatted(column.table(), column.column()));
    }
  }
}
