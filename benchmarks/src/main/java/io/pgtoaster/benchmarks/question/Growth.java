package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.BYTEA;

import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.blob.BlobContender;
import io.pgtoaster.benchmarks.contender.blob.BlobSession;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Scale;
import io.pgtoaster.benchmarks.trial.Trial;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Question 2. Operation: one of the appends by which a value grows from empty, committed. The time
 * is the mean of all appends.
 */
final class Growth extends Trial {
  /** Maximum of steps with durable commits: they take ten seconds for each contender. */
  private static final int MANY = 5_000;

  /** Cells with more steps are measured once per round. */
  private static final int ONCE = 1_000;

  private final Payload payload = Payload.random();
  private final BlobContender blobs;
  private final BlobSession session;
  private final int step;
  private final long length;
  private int id;
  private long at;
  private double disk;

  Growth(Cell cell) throws Exception {
    step = (int) cell.bytes("step");
    length = (long) cell.operations() * step;
    blobs = BlobContender.open(cell.contender());
    session = blobs.session();
    int warm = blobs.add(1);
    for (int i = 0; i < 20; i++) {
      session.append(warm, payload.bytes(0, step));
    }
  }

  private static long steps(Cell cell) {
    return cell.bytes("target") / cell.bytes("step");
  }

  static Batch batch(Plan plan, Cell cell) {
    Batch batch = plan.batch(steps(cell));
    boolean once = steps(cell) > ONCE || cell.bytes("target") >= 1L << 30;
    return once ? batch.withIterations(0, 1) : batch;
  }

  static @Nullable String objection(Plan plan, Cell cell) {
    long steps = steps(cell);
    if (steps > plan.pick(1_000L, 110_000L)) {
      return commits(steps, "");
    }
    if (steps > MANY && plan.scale() == Scale.STANDARD && plan.available().durable()) {
      return commits(steps, " that wait for the disk; with --sync off");
    }
    String tooWide = Appends.tooWide(cell, cell.bytes("target"));
    if (tooWide != null) {
      return tooWide;
    }
    long logged = cell.bytes("target") / 2 * steps;
    long mostLogged = plan.pick(1L, 2L) << 30;
    return cell.contender().equals(BYTEA) && logged > mostLogged
        ? "would log " + Math.round(logged / 1e9) + " GB"
        : null;
  }

  private static String commits(long steps, String more) {
    return String.format(Locale.ROOT, "%,d commits%s", steps, more);
  }

  @Override
  public Database database() {
    return blobs.database();
  }

  @Override
  public void begin() throws Exception {
    blobs.database().vacuum();
    id = blobs.add(1);
    at = 0;
    disk = blobs.database().diskBytes();
  }

  @Override
  public Operation operation(int thread) {
    return () -> {
      session.append(id, payload.bytes(at, step));
      at += step;
    };
  }

  /**
   * Measures size and reads before and after compaction, and compares the value with the bytes
   * written.
   */
  @Override
  public void end(Counters cost) throws Exception {
    Checks.written(cost);
    Meter.add("bytes", step, "B");
    Meter.add("diskRatio", diskRatio(), "ratio");
    Meter.add("readBefore", megabytesPerSecond(), "MB/s");
    blobs.compact(id);
    blobs.database().vacuum();
    Meter.add("diskRatioAfter", diskRatio(), "ratio");
    Meter.add("readAfter", megabytesPerSecond(), "MB/s");
  }

  private double diskRatio() throws Exception {
    return (blobs.database().diskBytes() - disk) / length;
  }

  private double megabytesPerSecond() throws Exception {
    long start = System.nanoTime();
    long found = session.read(id);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (blobs.ordered()) {
      Checks.equal("the bytes", Checksums.of(payload.stream(0, length)), found);
    }
    return (double) length / (1 << 20) / seconds;
  }
}
