package io.pgtoaster.spring.actuate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of scheduled maintenance.
 *
 * @param gc What removes content that no row names.
 * @param verify What looks for damage.
 * @param compact What brings content into its best form.
 */
@ConfigurationProperties("pgtoaster.maintenance")
record MaintenanceProperties(
    @DefaultValue Gc gc, @DefaultValue Rows verify, @DefaultValue Rows compact) {

  /**
   * What removes content that no row names.
   *
   * @param cron When to run it, such as "0 30 3 * * *" (seconds first). By default never.
   * @param dryRun Whether to count only what it would remove.
   * @param grace Content that is younger is left alone.
   * @param tokenHorizon How long writers of appends with tokens are remembered after their last
   *     one.
   */
  record Gc(
      @Nullable String cron,
      @DefaultValue("false") boolean dryRun,
      @DefaultValue("1h") Duration grace,
      @DefaultValue("7d") Duration tokenHorizon) {}

  /**
   * What visits rows with content, one after the other.
   *
   * @param cron When to run it, such as "0 0 4 * * SUN" (seconds first). By default never.
   * @param maxRows How many rows one run visits at most; the next one goes on behind them.
   * @param maxDuration How long one run begins further rows.
   */
  record Rows(
      @Nullable String cron,
      @DefaultValue("10000") int maxRows,
      @DefaultValue("10m") Duration maxDuration) {}
}
