package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.JSONB;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_EXTERNAL;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_LZ4;
import static io.pgtoaster.benchmarks.contender.Names.POSTGRES_PRO;

import io.pgtoaster.benchmarks.contender.DocumentContender;
import io.pgtoaster.benchmarks.contender.DocumentSession;
import io.pgtoaster.benchmarks.contender.Storage;
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
 * Question 9. The operation: one of the operations of a YCSB workload, on records that are
 * documents of ten members; which record is asked for follows a Zipfian distribution.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Ycsb {
  /** Which compression is the peer's best depends on the workload. */
  private static final List<String> CONTENDERS =
      List.of(CHUNK_TABLES, EXTENSION, POSTGRES_PRO, JSONB, JSONB_LZ4, JSONB_EXTERNAL);

  private static final String RUN = "Ycsb.run";
  private static final String MIDDLE = "10KB";
  private static final List<String> SIZES = List.of("1KB", MIDDLE, "100KB");
  private static final List<String> ALL = List.of("A", "B", "C", "D", "E", "F");

  static final Question QUESTION =
      new Question(
          9,
          "How many operations per second do the YCSB workloads reach on documents?",
          Ycsb::plan,
          List.of(
              Chart.bars("Documents of 1 KB", RUN, Metric.RATE, "workload").where("size", "1KB"),
              Chart.bars("Documents of 10 KB", RUN, Metric.RATE, "workload")
                  .where("size", MIDDLE)
                  .shown("A", "B", "C", "D", "E", "F"),
              Chart.bars("Documents of 100 KB", RUN, Metric.RATE, "workload")
                  .where("size", "100KB"),
              Chart.bars("Documents of 100 KB: log of an operation", RUN, Metric.WAL, "workload")
                  .where("size", "100KB")));

  static void plan(Plan plan) {
    for (String size : plan.pick(List.of("100KB"), SIZES, List.of("1KB", "10KB", "100KB", "1MB"))) {
      List<String> few =
          plan.durable(
              size.equals(MIDDLE) ? ALL : List.of("A", "C", "E"),
              size.equals(MIDDLE) ? List.of("A", "D") : List.of("A"));
      for (String workload : plan.pick(List.of("A", "D", "E"), few, ALL)) {
        // One cell of it shows that inserts work.
        List<String> quick = workload.equals("D") ? List.of(CHUNK_TABLES) : CONTENDERS;
        for (String contender : plan.pick(quick, CONTENDERS, CONTENDERS)) {
          plan.add(
              Ycsb.class,
              "run",
              Plan.params("contender", contender, "workload", workload, "size", size),
              plan.timed().withThreads(2 * plan.available().cores()),
              workload.equals("C") ? plan.reading() : null);
        }
      }
    }
  }

  /** The records. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // open() is called before all others
  public static class Records {
    @Param(CHUNK_TABLES)
    public String contender;

    @Param("A")
    public String workload;

    @Param("10KB")
    public String size;

    final Together together = new Together();
    DocumentContender documents;
    YcsbWorkload work;
    private long changed;

    void open() throws Exception {
      documents = DocumentContender.open(contender, Storage.defaults());
      long bytes = Size.parse(size);
      int count = (int) Math.max(50, Math.min(1000, (16L << 20) / bytes));
      work = new YcsbWorkload(workload, count, (int) (bytes / YcsbWorkload.FIELDS));
      try (DocumentSession session = documents.loader()) {
        work.load(session);
      }
      documents.addOthers();
      documents.database().vacuum();
    }

    void begin() throws Exception {
      documents.database().vacuum();
      Meter.begin(documents.database());
    }

    void end() throws Exception {
      Counters cost = Meter.end(documents.database());
      long more = work.changed() - changed;
      changed += more;
      Meter.share("changes", (double) more, "changes/op");
      if (more > 0) {
        Checks.written(cost);
      }
    }

    void close() throws Exception {
      DocumentContender closed = documents;
      try (closed) {
        Checks.equal("changes", work.planned(), work.changed());
        Checks.equal(
            "records",
            work.inserted(),
            documents.database().number("SELECT count(*) FROM docs WHERE id >= 0"));
      }
    }
  }

  /** One of the clients. */
  @State(Scope.Thread)
  public static class Client {
    DocumentSession session;
    Random random;

    /**
     * Connects.
     *
     * @param records where to
     * @param params of JMH
     * @param thread of JMH
     * @throws Exception if that fails
     */
    @Setup(Level.Trial)
    public void open(Records records, BenchmarkParams params, ThreadParams thread)
        throws Exception {
      records.together.once(params.getThreads(), records::open);
      session = records.documents.session();
      random = new Random(thread.getThreadIndex());
    }

    /**
     * Prepares an iteration.
     *
     * @param records of all
     * @param params of JMH
     * @throws Exception if that fails
     */
    @Setup(Level.Iteration)
    public void begin(Records records, BenchmarkParams params) throws Exception {
      records.together.once(params.getThreads(), records::begin);
    }

    /**
     * Ends one.
     *
     * @param records of all
     * @param params of JMH
     * @throws Exception if that fails
     */
    @TearDown(Level.Iteration)
    public void end(Records records, BenchmarkParams params) throws Exception {
      records.together.once(params.getThreads(), records::end);
    }

    /**
     * Drops everything.
     *
     * @param records of all
     * @param params of JMH
     * @throws Exception if that fails
     */
    @TearDown(Level.Trial)
    public void close(Records records, BenchmarkParams params) throws Exception {
      records.together.once(params.getThreads(), records::close);
    }
  }

  /**
   * Does one operation.
   *
   * @param records on which
   * @param client who does it
   * @throws Exception if it finds something wrong
   */
  @Benchmark
  public void run(Records records, Client client) throws Exception {
    records.work.one(client.session, client.random);
  }
}
