package io.pgtoaster.it.kit;

import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.blob.StreamOptions;
import java.time.Duration;

/** Frequently used options. */
public final class Options {
  private Options() {}

  /** Runs {@code gc} and removes what it finds. */
  public static GcReport collect(Database database, Duration grace, Duration tokenHorizon) {
    return PgToaster.create(database.dataSource())
        .catalog()
        .gc(GcOptions.defaults().withDryRun(false).withGrace(grace).withTokenHorizon(tokenHorizon));
  }

  /** Runs {@code gc} over everything that is not in use, regardless of its age. */
  public static GcReport collect(Database database) {
    return collect(database, Duration.ZERO, Duration.ofDays(7));
  }

  /** A follower that polls often and ends after a timeout. */
  public static FollowOptions follow(long from, Duration timeout) {
    return FollowOptions.defaults()
        .withFrom(from)
        .withPoll(Duration.ofMillis(5), Duration.ofMillis(20))
        .withTimeout(timeout);
  }

  public static StreamOptions commitEvery(long bytes) {
    return StreamOptions.defaults().withCommitEvery(bytes);
  }
}
