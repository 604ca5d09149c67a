package io.pgtoaster.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronTrigger;

/** Runs jobs when they are due, in its own thread, which exists only if a job is scheduled. */
final class MaintenanceScheduler implements SmartLifecycle {
  private static final int STOP_SECONDS = 5;

  private final Maintenance maintenance;
  private final Map<Job, CronTrigger> crons = new LinkedHashMap<>();
  private @Nullable ThreadPoolTaskScheduler scheduler;

  MaintenanceScheduler(Maintenance maintenance, MaintenanceProperties properties) {
    this.maintenance = maintenance;
    schedule(Job.GC, properties.gc().cron());
    schedule(Job.VERIFY, properties.verify().cron());
    schedule(Job.COMPACT, properties.compact().cron());
  }

  private void schedule(Job job, @Nullable String cron) {
    if (cron == null || cron.isBlank() || cron.equals(ScheduledTaskRegistrar.CRON_DISABLED)) {
      return;
    }
    try {
      crons.put(job, new CronTrigger(cron));
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          "pgtoaster.maintenance." + job + ".cron", cron, e.getMessage());
    }
  }

  @Override
  public synchronized void start() {
    if (crons.isEmpty() || scheduler != null) {
      return;
    }
    ThreadPoolTaskScheduler started = new ThreadPoolTaskScheduler();
    started.setThreadNamePrefix("pgtoaster-");
    started.setDaemon(true);
    // An interrupted job finishes its current row before its data source is closed.
    started.setAwaitTerminationSeconds(STOP_SECONDS);
    started.initialize();
    // The result is not used, because a failing job reports its own failure.
    crons.forEach(
        (job, cron) -> {
          var unused = started.schedule(() -> maintenance.run(job), cron);
        });
    scheduler = started;
  }

  @Override
  public synchronized void stop() {
    if (scheduler != null) {
      scheduler.shutdown();
      scheduler = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return scheduler != null;
  }
}
