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
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.List;
import java.util.Random;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Question 3. The operation: one value is written from a stream and committed, read from its
 * beginning to its end, or 4 KB are read somewhere in it. Each connection has a value of its own.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Streams {
  private static final List<String> CONTENDERS =
      List.of(
          CHUNK_TABLES, EXTENSION, POSTGRES_PRO, LARGE_OBJECT, LARGE_OBJECT_SQL, BARE_TABLE, BYTEA);
  private static final String SMALL = "1MB";
  private static final int RANGE = 4096;

  static final Question QUESTION =
      new Question(
          3,
          "How fast are streams in and out, and ranges, by one connection and by many?",
          Streams::plan,
          List.of(
              Chart.bars("Streams in", "Streams.write", Metric.MBPS, "connections")
                  .shown("1", "16"),
              Chart.bars("Streams out", "Streams.read", Metric.MBPS, "connections")
                  .shown("1", "16"),
              Chart.bars("Log of a stream in", "Streams.write", Metric.WAL, "connections"),
              Chart.bars("4 KB somewhere: time", "Streams.range", Metric.TIME, "connections")
                  .shown("1", "16"),
              Chart.bars("4 KB somewhere: pages", "Streams.range", Metric.PAGES, "connections")));

  static void plan(Plan plan) {
    String size = plan.pick("4MB", "64MB", "512MB");
    for (String connections :
        plan.pick(List.of("2"), List.of("1", "16"), List.of("1", "4", "16"))) {
      // The same amount of data for any number of connections.
      int threads = Integer.parseInt(connections);
      String each = (Size.parse(size) >> 20) / threads + "MB";
      for (String contender : CONTENDERS) {
        var params = Plan.params("contender", contender, "size", each, "connections", connections);
        plan.add(Streams.class, "write", params, plan.batch(1).withThreads(threads));
        plan.add(
            Streams.class,
            "read",
            params,
            plan.batch(plan.pick(1, 3, 3)).withThreads(threads),
            plan.reading());
        plan.add(
            Streams.class,
            "range",
            params,
            plan.batch(plan.pick(20, 1000, 5000)).withThreads(threads),
            contender.equals(BARE_TABLE)
                ? "rows of a bare table have no positions"
                : plan.reading());
      }
    }
  }

  /** The values. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // open() is called before all others
  public static class Store {
    @Param(CHUNK_TABLES)
    public String contender;

    @Param(SMALL)
    public String size;

    @Param("1")
    public String connections;

    final Together together = new Together();
    final Payload payload = Payload.random();
    BlobContender blobs;
    long bytes;
    long checksum;
    int operations;
    int first;
    private boolean writes;

    void open(BenchmarkParams params) throws Exception {
      operations = params.getOpsPerInvocation();
      writes = params.getBenchmark().endsWith("write");
      bytes = Size.parse(size);
      checksum = Checksums.of(payload.stream(0, bytes));
      blobs = BlobContender.open(contender);
      if (!writes) {
        first = blobs.fill(params.getThreads(), bytes, payload);
      }
    }

    void begin(BenchmarkParams params) throws Exception {
      if (writes) {
        first = blobs.add(params.getThreads());
      }
      Meter.begin(blobs.database());
    }

    void end() throws Exception {
      Counters cost = Meter.endOfAll(blobs.database());
      if (writes) {
        Checks.written(cost);
      }
      Meter.add("bytes", (double) bytes, "B");
    }

    void close() throws Exception {
      BlobContender closed = blobs;
      try (closed) {
        try (BlobSession session = blobs.session()) {
          Checks.equal("the bytes of a value", checksum, session.read(first));
        }
      }
    }
  }

  /** One of those who read and write. */
  @State(Scope.Thread)
  public static class Client {
    BlobSession session;
    Random random;
    int number;

    /**
     * Connects.
     *
     * @param store where to
     * @param params of JMH
     * @param thread of JMH
     * @throws Exception if that fails
     */
    @Setup(Level.Trial)
    public void open(Store store, BenchmarkParams params, ThreadParams thread) throws Exception {
      store.together.once(params.getThreads(), () -> store.open(params));
      session = store.blobs.session();
      number = thread.getThreadIndex();
      random = new Random(number);
    }

    /**
     * Prepares an iteration.
     *
     * @param store of all
     * @param params of JMH
     * @throws Exception if that fails
     */
    @Setup(Level.Iteration)
    public void begin(Store store, BenchmarkParams params) throws Exception {
      store.together.once(params.getThreads(), () -> store.begin(params));
    }

    /**
     * Ends one.
     *
     * @param store of all
     * @param params of JMH
     * @throws Exception if that fails
     */
    @TearDown(Level.Iteration)
    public void end(Store store, BenchmarkParams params) throws Exception {
      store.together.once(params.getThreads(), store::end);
    }

    /**
     * Drops everything.
     *
     * @param store of all
     * @param params of JMH
     * @throws Exception if that fails
     */
    @TearDown(Level.Trial)
    public void close(Store store, BenchmarkParams params) throws Exception {
      store.together.once(params.getThreads(), store::close);
    }
  }

  /**
   * Writes a value.
   *
   * @param store where it is
   * @param client who writes
   * @throws Exception if that fails
   */
  @Benchmark
  public void write(Store store, Client client) throws Exception {
    client.session.write(
        store.first + client.number, store.payload.stream(0, store.bytes), store.bytes);
  }

  /**
   * Reads a value.
   *
   * @param store where it is
   * @param client who reads
   * @throws Exception if it differs from what was written
   */
  @Benchmark
  public void read(Store store, Client client) throws Exception {
    for (int i = 0; i < store.operations; i++) {
      Checks.equal("the bytes", store.checksum, client.session.read(store.first + client.number));
    }
  }

  /**
   * Reads ranges.
   *
   * @param store where they are
   * @param client who reads
   * @throws Exception if one has a wrong end
   */
  @Benchmark
  public void range(Store store, Client client) throws Exception {
    for (int i = 0; i < store.operations; i++) {
      long offset = client.random.nextLong(store.bytes - RANGE);
      byte[] range = client.session.range(store.first + client.number, offset, RANGE);
      if (range.length != RANGE || range[RANGE - 1] != store.payload.at(offset + RANGE - 1)) {
        throw new IllegalStateException("wrong bytes at " + offset);
      }
    }
  }
}
