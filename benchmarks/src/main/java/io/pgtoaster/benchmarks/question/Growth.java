package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.BARE_TABLE;
import static io.pgtoaster.benchmarks.contender.Names.BYTEA;
import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.LARGE_OBJECT;
import static io.pgtoaster.benchmarks.contender.Names.LARGE_OBJECT_SQL;
import static io.pgtoaster.benchmarks.contender.Names.POSTGRES_PRO;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.report.Chart;
import io.pgtoaster.benchmarks.report.Metric;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Question 2. The operation: one of the appends by which a value grows from nothing, committed. The
 * time is the mean of all.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Growth {
  private static final List<String> CONTENDERS =
      List.of(
          CHUNK_TABLES, EXTENSION, POSTGRES_PRO, LARGE_OBJECT, LARGE_OBJECT_SQL, BARE_TABLE, BYTEA);
  private static final String SMALL = "1MB";
  private static final String LARGE = "1GB";
  private static final String STEP = "step size";

  /** So many take ten seconds for each contender where each waits for the disk. */
  private static final int MANY = 5_000;

  /** More are not timed again, before the next round. */
  private static final int ONCE = 1_000;

  static final Question QUESTION =
      new Question(
          2,
          "What does a value cost that grows from nothing, step by step?",
          Growth::plan,
          List.of(
              Chart.lines("From 0 to 1 MB: time of one step", "Growth.grow", Metric.TIME, "step")
                  .axis(STEP)
                  .where("target", SMALL)
                  .shown("1KB", "10KB", "100KB"),
              Chart.lines("From 0 to 1 MB: log of one step", "Growth.grow", Metric.WAL, "step")
                  .axis(STEP)
                  .where("target", SMALL),
              Chart.lines("From 0 to 1 MB: pages of one step", "Growth.grow", Metric.PAGES, "step")
                  .axis(STEP)
                  .where("target", SMALL),
              Chart.lines("From 0 to 1 MB: MB per second", "Growth.grow", Metric.MBPS, "step")
                  .axis(STEP)
                  .where("target", SMALL),
              Chart.lines("From 0 to 1 GB: MB per second", "Growth.grow", Metric.MBPS, "step")
                  .axis(STEP)
                  .where("target", LARGE),
              Chart.bars(
                      "0 to 1 GB: disk per byte, before compaction",
                      "Growth.grow",
                      Metric.DISK_RATIO,
                      "step")
                  .axis(STEP)
                  .where("target", LARGE),
              Chart.bars(
                      "0 to 1 GB: disk per byte, after compaction",
                      "Growth.grow",
                      Metric.DISK_RATIO_COMPACT,
                      "step")
                  .axis(STEP)
                  .where("target", LARGE),
              Chart.bars(
                      "0 to 1 GB: read back before compaction",
                      "Growth.grow",
                      Metric.READ_BEFORE,
                      "step")
                  .axis(STEP)
                  .where("target", LARGE),
              Chart.bars(
                      "0 to 1 GB: read back after compaction",
                      "Growth.grow",
                      Metric.READ_AFTER,
                      "step")
                  .axis(STEP)
                  .where("target", LARGE)));

  @Param(CHUNK_TABLES)
  public String contender;

  @Param(SMALL)
  public String target;

  @Param("1KB")
  public String step;

  private final Payload payload = Payload.random();
  private BlobContender blobs;
  private BlobSession session;
  private int operations;
  private int bytes;
  private int id;
  private double disk;

  static void plan(Plan plan) {
    if (plan.scale() == Scale.QUICK) {
      CONTENDERS.forEach(c -> add(plan, c, SMALL, "10KB"));
      return;
    }
    List<String> steps = List.of("100B", "1KB", "10KB", "100KB");
    for (String step : plan.pick(steps, steps, List.of("10B", "100B", "1KB", "10KB", "100KB"))) {
      CONTENDERS.forEach(c -> add(plan, c, SMALL, step));
    }
    for (String step :
        plan.pick(
            List.<String>of(),
            plan.durable(List.of("1MB"), List.<String>of()),
            List.of("100B", "1KB", "10KB", "100KB", "1MB"))) {
      CONTENDERS.forEach(c -> add(plan, c, LARGE, step));
    }
  }

  private static void add(Plan plan, String contender, String target, String step) {
    long steps = Size.parse(target) / Size.parse(step);
    Batch batch = plan.batch((int) steps);
    plan.add(
        Growth.class,
        "grow",
        Plan.params("contender", contender, "target", target, "step", step),
        steps > ONCE || target.equals(LARGE) ? batch.withIterations(0, 1) : batch,
        reason(plan, contender, Size.parse(target), steps));
  }

  private static @Nullable String reason(Plan plan, String contender, long target, long steps) {
    long mostSteps = plan.pick(1_000L, 110_000L, 2_000_000L);
    if (steps > mostSteps) {
      return String.format(
          Locale.ROOT,
          "%,d commits%s",
          steps,
          plan.scale() == Scale.FULL ? "" : ", in the full set");
    }
    if (steps > MANY && plan.scale() == Scale.STANDARD && plan.available().durable()) {
      return String.format(
          Locale.ROOT,
          "%,d commits that wait for the disk; in the full set, and with --sync off",
          steps);
    }
    boolean wide = contender.equals(BYTEA) || contender.equals(POSTGRES_PRO);
    if (wide && target >= 1L << 30) {
      return "a bytea cannot have 1 GB";
    }
    long logged = target / 2 * steps;
    long mostLogged = plan.pick(1L, 2L, 60L) << 30;
    return contender.equals(BYTEA) && logged > mostLogged
        ? "would log " + Math.round(logged / 1e9) + " GB"
        : null;
  }

  /**
   * Connects.
   *
   * @param params of JMH
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void open(BenchmarkParams params) throws Exception {
    operations = params.getOpsPerInvocation();
    bytes = (int) Size.parse(step);
    blobs = BlobContender.open(contender);
    session = blobs.session();
    int warm = blobs.add(1);
    for (int i = 0; i < 20; i++) {
      session.append(warm, payload.bytes(0, bytes));
    }
  }

  /**
   * Adds an empty value.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin() throws Exception {
    blobs.database().vacuum();
    id = blobs.add(1);
    disk = blobs.database().diskBytes();
    Meter.begin(blobs.database());
  }

  /**
   * Appends until it is as long as it should be.
   *
   * @throws Exception if that fails
   */
  @Benchmark
  public void grow() throws Exception {
    for (int i = 0; i < operations; i++) {
      session.append(id, payload.bytes((long) i * bytes, bytes));
    }
  }

  /**
   * Reads it, compacts it, reads it again, and compares it with what was written.
   *
   * @throws Exception if it differs
   */
  @TearDown(Level.Iteration)
  public void end() throws Exception {
    Checks.written(Meter.end(blobs.database()));
    double length = (double) operations * bytes;
    Meter.add("bytes", bytes, "B");
    Meter.add("diskRatio", (blobs.database().diskBytes() - disk) / length, "ratio");
    Meter.add("readBefore", megabytesPerSecond(length), "MB/s");
    blobs.compact(id);
    blobs.database().vacuum();
    Meter.add("diskRatioAfter", (blobs.database().diskBytes() - disk) / length, "ratio");
    Meter.add("readAfter", megabytesPerSecond(length), "MB/s");
  }

  private double megabytesPerSecond(double length) throws Exception {
    long start = System.nanoTime();
    long found = session.read(id);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (blobs.ordered()) {
      Checks.equal("the bytes", Checksums.of(payload.stream(0, (long) length)), found);
    }
    return length / (1 << 20) / seconds;
  }

  /**
   * Drops everything.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    blobs.close();
  }
}
