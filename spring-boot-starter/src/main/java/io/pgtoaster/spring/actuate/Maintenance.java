package io.pgtoaster.spring.actuate;

import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs, one at a time in this instance and each in only one instance at a time, and remembers
 * their results. Thread-safe.
 */
final class Maintenance {
  private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

  private static final Set<String> ORPHANS = Set.of("blob", "document");

  private final OneInstance oneInstance;
  private final MaintenanceProperties properties;
  private final Map<Job, RowJob> rowJobs = new EnumMap<>(Job.class);
  private final ReentrantLock running = new ReentrantLock();
  private final Map<Job, JobRun> lastRuns = new ConcurrentHashMap<>();
  private final Map<Job, Finding> lastFindings = new ConcurrentHashMap<>();
  private final List<BiConsumer<Job, JobRun>> listeners = new CopyOnWriteArrayList<>();

  Maintenance(PgToaster toaster, DataSource dataSource, MaintenanceProperties properties) {
    this.oneInstance = new OneInstance(dataSource);
    this.properties = properties;
    rowJobs.put(Job.VERIFY, new RowJob(Job.VERIFY, toaster, properties.verify()));
    rowJobs.put(Job.COMPACT, new RowJob(Job.COMPACT, toaster, properties.compact()));
  }

  /** Adds a listener that is notified of each run. */
  void listen(BiConsumer<Job, JobRun> listener) {
    listeners.add(listener);
  }

  /** Returns the last run of a job in this instance that was not rejected as busy. */
  Optional<JobRun> lastRun(Job job) {
    return Optional.ofNullable(lastRuns.get(job));
  }

  /** The number of orphans that gc left, or of damaged items that verify found. */
  record Finding(long count, Instant at) {}

  /** Returns the last known finding of a job in this instance. */
  Optional<Finding> lastFinding(Job job) {
    return Optional.ofNullable(lastFindings.get(job));
  }

  JobRun run(Job job) {
    Instant startedAt = Instant.now();
    JobRun run = JobRun.busy(startedAt);
    if (running.tryLock()) {
      try {
        run = oneInstance.run(job.lockKey(), connection -> work(job, connection)).orElse(run);
      } catch (SQLException | RuntimeException e) {
        run = JobRun.failed(startedAt, e);
      } finally {
        running.unlock();
      }
    }
    if (!run.outcome().equals(JobRun.BUSY)) {
      lastRuns.put(job, run);
    }
    Long left = run.left();
    if (left != null) {
      lastFindings.put(job, new Finding(left, startedAt));
    }
    log(job, run);
    for (BiConsumer<Job, JobRun> listener : listeners) {
      listener.accept(job, run);
    }
    return run;
  }

  private JobRun work(Job job, Connection connection) throws SQLException {
    RowJob rows = rowJobs.get(job);
    return rows == null ? gc(connection) : rows.run(connection);
  }

  private JobRun gc(Connection connection) {
    Instant startedAt = Instant.now();
    MaintenanceProperties.Gc gc = properties.gc();
    GcReport report =
        PgToaster.on(connection)
            .catalog()
            .gc(
                GcOptions.defaults()
                    .withDryRun(gc.dryRun())
                    .withGrace(gc.grace())
                    .withTokenHorizon(gc.tokenHorizon()));
    return new JobRun(
        report.failures().isEmpty() ? JobRun.DONE : JobRun.FAILED,
        startedAt,
        JobRun.millis(startedAt),
        report.items().size(),
        report.removed() ? report.items().size() : 0,
        report.bytes(),
        true,
        left(report),
        report.failures().stream().map(failure -> JobRun.why(failure.cause())).toList());
  }

  /** Returns the number of remaining orphans, or null if it is unknown for some store. */
  private static @Nullable Long left(GcReport report) {
    if (!report.failures().isEmpty()) {
      return null;
    }
    return report.removed()
        ? 0
        : report.items().stream().filter(item -> ORPHANS.contains(item.kind())).count();
  }

  private static void log(Job job, JobRun run) {
    if (run.outcome().equals(JobRun.BUSY)) {
      LOG.info("{} was skipped: a job is running here, or another instance is running it", job);
      return;
    }
    LOG.info(
        "{} {}: {} visited, {} changed, {} bytes, {} ms{}",
        job,
        run.outcome(),
        run.visited(),
        run.changed(),
        run.bytes(),
        run.millis(),
        run.complete() ? "" : "; the next run continues");
    run.problems().forEach(problem -> LOG.error("{}: {}", job, problem));
  }
}
