package io.pgtoaster.spring.actuate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of scheduled maintenance.
 *
 * @param gc Removal of content to which no row refers.
 * @param verify Search for damage.
 * @param compact Rewriting of content, compactly and with the current options.
 */
@ConfigurationProperties("pgtoaster.maintenance")
record MaintenanceProperties(
    @DefaultValue Gc gc, @DefaultValue Rows verify, @DefaultValue Rows compact) {

  /**
   * Removal of content to which no row refers.
   *
   * @param cron When to run it, such as "0 30 3 * * *" (seconds first). By default never.
   * @param dryRun Whether to only count what would be removed.
   * @param grace Minimum age of content to remove.
   * @param tokenHorizon How long writers of appends with tokens are remembered after their last
   *     append.
   */
  record Gc(
      @Nullable String cron,
      @DefaultValue("false") boolean dryRun,
      @DefaultValue("1h") Duration grace,
      @DefaultValue("7d") Duration tokenHorizon) {}

  /**
   * A job that visits rows with content one by one.
   *
   * @param cron When to run it, such as "0 0 4 * * SUN" (seconds first). By default never.
   * @param maxRows Maximum number of rows that one run visits; the next run continues after them.
   * @param maxDuration Time after which a run visits no further rows.
   */
  record Rows(
      @Nullable String cron,
      @DefaultValue("10000") int maxRows,
      @DefaultValue("10m") Duration maxDuration) {}
}
