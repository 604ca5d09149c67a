package io.pgtoaster.blob;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Notifications.Subscription;
import io.pgtoaster.internal.OwnConnections;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.PinnedBlob;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Requests notifications from appenders, if the store supports them, so that a follower does not
 * have to wait for its next poll. Used by the following thread; any thread may close it.
 */
final class FollowerWatch {
  private static final long AGAIN_NANOS = 10_000_000_000L;

  private final ColumnAccess<BlobToaster, BlobVtable> access;
  private final BlobOperation context;
  private final Runnable wake;
  private volatile @Nullable Subscription subscription;
  private volatile boolean closed;
  private long announcedAt;
  private boolean off;

  FollowerWatch(
      ColumnAccess<BlobToaster, BlobVtable> access, BlobOperation context, Runnable wake) {
    this.access = access;
    this.context = context;
    this.wake = wake;
    this.off = !access.connections().connectionPerCall();
  }

  /**
   * Announces the follower at regular intervals. If that fails, for example for lack of a
   * privilege, the follower only polls.
   */
  void announce(@Nullable PinnedBlob pinned) {
    if (off || pinned == null) {
      return;
    }
    if (subscription != null && System.nanoTime() - announcedAt < AGAIN_NANOS) {
      return;
    }
    try {
      String payload =
          access
              .read(
                  context,
                  (c, column, key) ->
                      Optional.ofNullable(column.vtable().announceFollower(c, pinned)))
              .orElse(null);
      announcedAt = System.nanoTime();
      off = payload == null;
      if (payload != null
          && subscription == null
          && access.connections() instanceof OwnConnections own) {
        subscription = own.notifications().subscribe(payload, wake);
        if (closed) {
          close();
        }
      }
    } catch (PgToasterException e) {
      off = true;
    }
  }

  void close() {
    closed = true;
    Subscription open = subscription;
    if (open != null) {
      open.close();
    }
  }
}
