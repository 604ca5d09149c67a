package io.pgtoaster.spring.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;

/** Registers the meters of maintenance. */
record JobMetrics(Maintenance maintenance) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    gauge("pgtoaster.orphans", Job.GC)
        .description("Blobs and documents without a row after the last gc of this instance")
        .register(registry);
    gauge("pgtoaster.damages", Job.VERIFY)
        .description("Damage that verify has found in this instance")
        .register(registry);
    maintenance.listen((job, run) -> record(registry, job, run));
  }

  private Gauge.Builder<Maintenance> gauge(String name, Job job) {
    return Gauge.builder(
        name,
        maintenance,
        m -> m.lastFinding(job).map(found -> (double) found.count()).orElse(Double.NaN));
  }

  private static void record(MeterRegistry registry, Job job, JobRun run) {
    Timer.builder("pgtoaster.job")
        .description("Runs of maintenance")
        .tags("job", job.toString(), "outcome", run.outcome())
        .register(registry)
        .record(run.millis(), TimeUnit.MILLISECONDS);
    count(registry, "visited", "Rows visited; for gc, items found", job, run.visited());
    count(registry, "changed", "Rows rewritten, or items removed", job, run.changed());
  }

  private static void count(
      MeterRegistry registry, String what, String description, Job job, long number) {
    Counter.builder("pgtoaster.job." + what)
        .description(description)
        .tag("job", job.toString())
        .register(registry)
        .increment((double) number);
  }
}
