package io.pgtoaster.spring.actuate;

import io.pgtoaster.Catalog;
import io.pgtoaster.ColumnStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the sizes of the stores. Reading them counts rows, so callers get the cached sizes. A
 * background thread reads them again at most once per interval, so no scrape waits. Thread-safe.
 */
final class StoreStatistics {
  private static final Logger LOG = LoggerFactory.getLogger(StoreStatistics.class);

  private final Catalog catalog;
  private final long interval;
  private final LongSupplier nanoTime;
  private final Executor background;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile @Nullable List<ColumnStatus> known;
  private volatile @Nullable Long askedAt;

  StoreStatistics(Catalog catalog, Duration interval) {
    this(catalog, interval, System::nanoTime, StoreStatistics::start);
  }

  StoreStatistics(Catalog catalog, Duration interval, LongSupplier nanoTime, Executor background) {
    this.catalog = catalog;
    this.interval = interval.toNanos();
    this.nanoTime = nanoTime;
    this.background = background;
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "pgtoaster-statistics");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Returns the cached sizes, or null before the first reading. Starts a new reading if they are
   * too old.
   */
  @Nullable List<ColumnStatus> latest() {
    Long last = askedAt;
    if ((last == null || nanoTime.getAsLong() - last >= interval)
        && reading.compareAndSet(false, true)) {
      try {
        background.execute(this::refresh);
      } catch (RuntimeException | Error e) {
        // For example, there are no more threads. The next caller tries again.
        reading.set(false);
        throw e;
      }
    }
    return known;
  }

  private void refresh() {
    try {
      now();
    } catch (RuntimeException e) {
      // A failed attempt counts as a reading, so that scrapes do not flood a server that is down
      // with requests.
      askedAt = nanoTime.getAsLong();
      LOG.warn("the sizes of the stores could not be read: {}", e.getMessage());
    } finally {
      reading.set(false);
    }
  }

  /** Reads the sizes now, regardless of the age of the cached ones. */
  List<ColumnStatus> now() {
    List<ColumnStatus> read = catalog.installedVersion() == 0 ? List.of() : catalog.status();
    known = read;
    askedAt = nanoTime.getAsLong();
    return read;
  }
}
