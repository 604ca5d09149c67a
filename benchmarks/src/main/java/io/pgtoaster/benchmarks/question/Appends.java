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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

/** Question 1. The operation: bytes are added to a value that is there, and committed. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Appends {
  private static final List<String> CONTENDERS =
      List.of(
          CHUNK_TABLES, EXTENSION, POSTGRES_PRO, LARGE_OBJECT, LARGE_OBJECT_SQL, BARE_TABLE, BYTEA);
  private static final String SOURCE = "1B";
  private static final String PIECE = "piece size";
  private static final String LARGE = "100MB";
  private static final long MOST_FILLED = 64 << 20;

  static final Question QUESTION =
      new Question(
          1,
          "What does one append cost, by the size of the value and of what is appended?",
          Appends::plan,
          List.of(
              Chart.lines("Time of appending 1 byte", "Appends.append", Metric.TIME, "size")
                  .axis("value size")
                  .where("piece", SOURCE)
                  .reference(LARGE, 1_382_000, "bytea (source)")
                  .reference(LARGE, 500, "toaster (source)")
                  .shown("1KB", "10KB", "100KB", "1MB", LARGE, "1GB"),
              Chart.lines("Log of appending 1 byte", "Appends.append", Metric.WAL, "size")
                  .axis("value size")
                  .where("piece", SOURCE)
                  .reference(LARGE, 100e6, "bytea (source)")
                  .reference(LARGE, 143, "toaster (source)"),
              Chart.lines("Pages of appending 1 byte", "Appends.append", Metric.PAGES, "size")
                  .axis("value size")
                  .where("piece", SOURCE)
                  .reference(LARGE, 238_260, "bytea (source)")
                  .reference(LARGE, 2, "toaster (source)"),
              Chart.lines("Time of appending to 100 MB", "Appends.append", Metric.TIME, "piece")
                  .axis(PIECE)
                  .where("size", LARGE)
                  .shown("400B", "1000B", "4000B", "50000B"),
              Chart.lines("Log of appending to 100 MB", "Appends.append", Metric.WAL, "piece")
                  .axis(PIECE)
                  .where("size", LARGE),
              Chart.lines("Pages of appending to 100 MB", "Appends.append", Metric.PAGES, "piece")
                  .axis(PIECE)
                  .where("size", LARGE)));

  @Param(CHUNK_TABLES)
  public String contender;

  @Param("1MB")
  public String size;

  @Param("100B")
  public String piece;

  private final Payload payload = Payload.random();
  private BlobContender blobs;
  private BlobSession session;
  private int operations;
  private long bytes;
  private int pieceBytes;
  private int values;
  private int first;
  private long[] lengths;

  static void plan(Plan plan) {
    List<String> sizes =
        plan.pick(
            List.of("1MB"),
            plan.durable(
                List.of("1KB", "10KB", "100KB", "1MB", LARGE, "1GB"), List.of("1KB", LARGE)),
            List.of("1KB", "10KB", "100KB", "1MB", "10MB", LARGE, "1GB"));
    List<String> pieces =
        plan.pick(
            List.of(SOURCE),
            plan.durable(
                List.of(SOURCE, "400B", "1000B", "4000B", "50000B", "1MB"),
                List.of(SOURCE, "400B", "1000B", "4000B", "50000B")),
            List.of(
                SOURCE, "10B", "100B", "400B", "1000B", "4000B", "10KB", "50000B", "100KB", "1MB"));
    for (String size : sizes) {
      for (String piece : pieces) {
        if (plan.scale() == Scale.FULL || size.equals(LARGE) || piece.equals(SOURCE)) {
          CONTENDERS.forEach(contender -> add(plan, contender, size, piece));
        }
      }
    }
  }

  private static void add(Plan plan, String contender, String size, String piece) {
    long bytes = Size.parse(size);
    long pieceBytes = Size.parse(piece);
    boolean rewrites = contender.equals(BYTEA);
    boolean wide = rewrites || contender.equals(POSTGRES_PRO);
    long most = plan.pick(20, 300, 500);
    long budget =
        rewrites
            ? plan.pick(8L << 20, 256L << 20, 512L << 20)
            : Math.max(plan.pick(8L << 20, 32L << 20, 64L << 20), bytes / 2);
    long operations = Math.min(most, budget / (rewrites ? bytes + pieceBytes : pieceBytes));
    plan.add(
        Appends.class,
        "append",
        Plan.params("contender", contender, "size", size, "piece", piece),
        plan.batch((int) Math.max(1, operations)),
        wide && bytes >= 1L << 30 ? "a bytea cannot have 1 GB" : null);
  }

  /**
   * Writes the values.
   *
   * @param params of JMH
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void open(BenchmarkParams params) throws Exception {
    operations = params.getOpsPerInvocation();
    bytes = Size.parse(size);
    pieceBytes = (int) Size.parse(piece);
    blobs = BlobContender.open(contender);
    session = blobs.session();
    values = (int) Math.max(1, Math.min(Math.min(operations, 100), MOST_FILLED / bytes));
    lengths = new long[values];
    fill();
  }

  private void fill() throws Exception {
    first = blobs.fill(values, bytes, payload);
    Arrays.fill(lengths, bytes);
  }

  /**
   * Writes others, if these have grown too much.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin() throws Exception {
    if (lengths[0] > 3 * bytes / 2 && lengths[0] > bytes + 4096) {
      fill();
    }
    Meter.begin(blobs.database());
  }

  /**
   * Appends, to one value after the other.
   *
   * @throws Exception if that fails
   */
  @Benchmark
  public void append() throws Exception {
    for (int i = 0; i < operations; i++) {
      int n = i % values;
      session.append(first + n, payload.bytes(lengths[n], pieceBytes));
      lengths[n] += pieceBytes;
    }
  }

  /**
   * Reads the counters.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Iteration)
  public void end() throws Exception {
    Checks.written(Meter.end(blobs.database()));
  }

  /**
   * Compares what is there with what was written.
   *
   * @throws Exception if it differs
   */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    BlobContender closed = blobs;
    try (closed) {
      if (blobs.ordered()) {
        Checks.equal(
            "the bytes of a value",
            Checksums.of(payload.stream(0, lengths[0])),
            session.read(first));
      }
      Checks.equal("the length", lengths[values - 1], session.length(first + values - 1L));
    }
  }
}
