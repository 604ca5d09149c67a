package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.BARE_TABLE;
import static io.pgtoaster.benchmarks.contender.Names.BYTEA;
import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.LARGE_OBJECT;
import static io.pgtoaster.benchmarks.contender.Names.LARGE_OBJECT_LOCKED;
import static io.pgtoaster.benchmarks.contender.Names.LARGE_OBJECT_SQL;
import static io.pgtoaster.benchmarks.contender.Names.POSTGRES_PRO;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.report.Chart;
import io.pgtoaster.benchmarks.report.Metric;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
 * Question 4. The operation: 100 bytes are appended and committed, while others append to the same
 * value, or each to one of its own.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Appenders {
  private static final List<String> CONTENDERS =
      List.of(
          CHUNK_TABLES, EXTENSION, POSTGRES_PRO, LARGE_OBJECT, LARGE_OBJECT_SQL, BARE_TABLE, BYTEA);

  /** Appends of several to one large object have to wait for each other. */
  private static final List<String> OF_ONE =
      Stream.concat(CONTENDERS.stream(), Stream.of(LARGE_OBJECT_LOCKED)).toList();

  private static final String ONE = "one";
  private static final String MANY = "many";
  private static final int PIECE = 100;
  private static final Set<String> UNORDERED = Set.of(LARGE_OBJECT, LARGE_OBJECT_SQL);

  static final Question QUESTION =
      new Question(
          4,
          "How many appends per second can many connections make, to one value and to many?",
          Appenders::plan,
          List.of(
              Chart.lines("To one value", "Appenders.append", Metric.RATE, "connections")
                  .where("values", ONE)
                  .shown("4", "16"),
              Chart.lines(
                      "To a value of each connection",
                      "Appenders.append",
                      Metric.RATE,
                      "connections")
                  .where("values", MANY)
                  .shown("4", "16")));

  static void plan(Plan plan) {
    for (String values : List.of(ONE, MANY)) {
      for (String connections :
          plan.pick(List.of("4"), List.of("4", "16"), List.of("1", "2", "4", "8", "16", "32"))) {
        for (String contender : values.equals(ONE) ? OF_ONE : CONTENDERS) {
          int threads = Integer.parseInt(connections);
          int all =
              plan.pick(
                  80, contender.equals(BYTEA) ? 80 : 800, contender.equals(BYTEA) ? 640 : 16_000);
          plan.add(
              Appenders.class,
              "append",
              Plan.params("contender", contender, "values", values, "connections", connections),
              plan.batch(Math.max(1, all / threads)).withThreads(threads),
              UNORDERED.contains(contender) && values.equals(ONE) && threads > 1
                  ? "nothing serialises appends to a large object: they overwrite each other"
                  : null);
        }
      }
    }
  }

  /** The values. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // open() is called before all others
  public static class Store {
    private static final long START = 1 << 20;

    @Param(CHUNK_TABLES)
    public String contender;

    @Param(ONE)
    public String values;

    @Param("4")
    public String connections;

    final Together together = new Together();
    final byte[] piece = Payload.random().bytes(0, PIECE);
    BlobContender blobs;
    int operations;
    int first;
    private int count;

    void open(BenchmarkParams params) throws Exception {
      operations = params.getOpsPerInvocation();
      count = values.equals(ONE) ? 1 : params.getThreads();
      blobs = BlobContender.open(contender);
    }

    int value(int thread) {
      return first + thread % count;
    }

    void begin() throws Exception {
      first = blobs.fill(count, START, Payload.random());
      Meter.begin(blobs.database());
    }

    void end(BenchmarkParams params) throws Exception {
      Checks.written(Meter.endOfAll(blobs.database()));
      long each = (long) PIECE * operations;
      long appended = values.equals(ONE) ? each * params.getThreads() : each;
      try (BlobSession session = blobs.session()) {
        Checks.equal("the length", START + appended, session.length(first));
      }
    }

    void close() throws Exception {
      blobs.close();
    }
  }

  /** One of those who append. */
  @State(Scope.Thread)
  public static class Client {
    BlobSession session;
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
      store.together.once(params.getThreads(), store::begin);
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
      store.together.once(params.getThreads(), () -> store.end(params));
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
   * Appends.
   *
   * @param store where to
   * @param client who appends
   * @throws Exception if that fails
   */
  @Benchmark
  public void append(Store store, Client client) throws Exception {
    for (int i = 0; i < store.operations; i++) {
      client.session.append(store.value(client.number), store.piece);
    }
  }
}
