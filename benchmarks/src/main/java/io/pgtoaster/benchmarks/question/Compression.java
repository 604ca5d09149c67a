package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.BYTEA;
import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.JSONB;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.BlobSession;
import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.DocumentContender;
import io.pgtoaster.benchmarks.contender.DocumentSession;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.data.DocumentKinds;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.report.Chart;
import io.pgtoaster.benchmarks.report.Metric;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.jsonb.DocumentPath;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Random;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Question 7. The operation: a value of 1 MB is read as a whole, by several readers at the same
 * time; or one short string of a document.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Compression {
  private static final List<String> METHODS = List.of("none", "pglz", "lz4");
  private static final String VALUES = "Compression.values";
  private static final String TITLES = "Compression.titles";
  private static final String LOG = "log";
  private static final String ACTORS = "actors";
  private static final int VALUE = 1 << 20;
  private static final String SCAN = "SELECT count(data ->> 'height') FROM docs";
  private static final int SCANNED = 500;

  static final Question QUESTION =
      new Question(
          7,
          "What do compression, the budget of a row and the type of the column cost and save?",
          Compression::plan,
          List.of(
              Chart.lines(
                      "Log lines read by parallel readers: MB per second",
                      VALUES,
                      Metric.MBPS,
                      "connections")
                  .where("data", LOG)
                  .series("contender", "compression"),
              Chart.bars("Space of log lines per byte", VALUES, Metric.DISK_RATIO, "compression")
                  .where("data", LOG)
                  .where("connections", "1")
                  .shown("none", "pglz", "lz4"),
              Chart.lines(
                      "Titles of roles read by parallel readers: per second",
                      TITLES,
                      Metric.RATE,
                      "connections")
                  .where("data", ACTORS)
                  .series("contender", "compression"),
              Chart.lines(
                      "A short key of a whole table read by parallel readers: tables per second",
                      "Compression.scan",
                      Metric.RATE,
                      "connections")
                  .series("contender", "compression")
                  .shown("1", "2", "8"),
              Chart.bars(
                      "Space of documents of five kinds, each written as a whole",
                      TITLES,
                      Metric.DISK,
                      "data")
                  .where("connections", "1")
                  .series("contender", "compression"),
              Chart.lines(
                      "A short key of a table, by the budget of its rows: time",
                      "Budgets.scan",
                      Metric.TIME,
                      "budget")
                  .axis(Budgets.AXIS),
              Chart.lines(
                      "A short key of a table, by the budget of its rows: pages",
                      "Budgets.scan",
                      Metric.PAGES,
                      "budget")
                  .axis(Budgets.AXIS),
              Chart.lines(
                      "One middle-sized key, by the budget of its rows: time",
                      "Budgets.get",
                      Metric.TIME,
                      "budget")
                  .axis(Budgets.AXIS),
              Types.CHART));

  static void plan(Plan plan) {
    int cores = plan.available().cores();
    List<Integer> threads =
        plan.pick(
            List.of(2), List.of(1, cores, 4 * cores), List.of(1, cores, 2 * cores, 4 * cores));
    for (int count : threads) {
      // The standard set asks of scans alone what the source asked of as many readers as cores.
      boolean between = count == cores && plan.scale() == Scale.STANDARD;
      for (String compression : plan.pick(List.of("pglz"), METHODS, METHODS)) {
        // With the extension: the same statements on the same rows as chunk tables.
        for (String contender : List.of(CHUNK_TABLES, JSONB)) {
          add(plan, "scan", contender, compression, ACTORS, count);
        }
        if (between) {
          continue;
        }
        for (String contender : List.of(CHUNK_TABLES, EXTENSION, BYTEA)) {
          add(plan, "values", contender, compression, LOG, count);
        }
        for (String contender : List.of(CHUNK_TABLES, EXTENSION, JSONB)) {
          add(plan, "titles", contender, compression, ACTORS, count);
        }
        if (count == 1 && plan.scale() == Scale.FULL) {
          for (String kind : DocumentKinds.NAMES.subList(1, DocumentKinds.NAMES.size())) {
            add(plan, "titles", CHUNK_TABLES, compression, kind, count);
            add(plan, "titles", JSONB, compression, kind, count);
          }
        }
      }
    }
    Budgets.plan(plan);
    Types.plan(plan);
  }

  private static void add(
      Plan plan, String method, String contender, String compression, String data, int threads) {
    plan.add(
        Compression.class,
        method,
        Plan.params(
            "contender", contender,
            "compression", compression,
            "data", data,
            "connections", Integer.toString(threads)),
        plan.timed().withThreads(threads),
        plan.reading());
  }

  /** Values or documents. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // open() is called before all others
  public static class Store {
    @Param(CHUNK_TABLES)
    public String contender;

    @Param("none")
    public String compression;

    @Param(LOG)
    public String data;

    @Param("1")
    public String connections;

    private final Together together = new Together();
    private DocumentSet set;
    private @Nullable BlobContender blobs;
    private @Nullable DocumentContender documents;
    private Database database;
    private long checksum;
    private int count;
    private double empty;
    private double stored;

    void open(BenchmarkParams params) throws Exception {
      count = Math.max(8, params.getThreads());
      if (params.getBenchmark().endsWith("values")) {
        Payload payload = Payload.logLines();
        checksum = Checksums.of(payload.stream(0, VALUE));
        BlobContender made = BlobContender.open(contender, compression);
        empty = vacuumed(made.database());
        made.fill(count, VALUE, payload);
        blobs = made;
        database = made.database();
        stored = (double) count * VALUE;
      } else {
        set = DocumentKinds.of(data);
        DocumentContender made = DocumentContender.open(contender, new Storage(compression, 0));
        documents = made;
        database = made.database();
        boolean scans = params.getBenchmark().endsWith("scan");
        if (scans) {
          count = SCANNED;
        } else {
          made.addOthers();
        }
        empty = vacuumed(database);
        try (DocumentSession session = made.loader()) {
          for (int id = 1; id <= count; id++) {
            session.insert(id, set.text(0));
          }
        }
        stored = (double) count * set.text(0).length();
        if (scans) {
          Checks.plan(database.connection(), SCAN, "Seq Scan");
        }
      }
      database.vacuum();
    }

    private static double vacuumed(Database made) throws SQLException {
      made.vacuum();
      return made.diskBytes();
    }

    void begin() throws Exception {
      Meter.begin(database);
    }

    void end() throws Exception {
      Meter.end(database);
      Meter.add("bytes", VALUE, "B");
      double taken = database.diskBytes() - empty;
      Meter.add("disk", taken, "B");
      Meter.add("diskRatio", taken / stored, "ratio");
    }

    void close() throws Exception {
      database.close();
    }
  }

  /** One of the readers. */
  @State(Scope.Thread)
  public static class Reader {
    private @Nullable BlobSession blobs;
    private @Nullable DocumentSession documents;
    private Random random;

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
      random = new Random(thread.getThreadIndex());
      if (store.blobs != null) {
        blobs = store.blobs.session();
      } else if (store.documents != null) {
        documents = store.documents.session();
      }
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
   * Reads a value.
   *
   * @param store where it is
   * @param reader who reads
   * @throws Exception if it differs from what was written
   */
  @Benchmark
  public void values(Store store, Reader reader) throws Exception {
    Checks.equal(
        "the bytes",
        store.checksum,
        Objects.requireNonNull(reader.blobs).read(1 + reader.random.nextInt(store.count)));
  }

  /**
   * Reads a short key of all documents.
   *
   * @param store where they are
   * @param reader who reads
   * @throws Exception if not all have it
   */
  @Benchmark
  public void scan(Store store, Reader reader) throws Exception {
    try (PreparedStatement s =
            Objects.requireNonNull(reader.documents).connection().prepareStatement(SCAN);
        ResultSet r = s.executeQuery()) {
      r.next();
      Checks.equal("the documents with a height", (long) store.count, r.getLong(1));
    }
  }

  /**
   * Reads a title.
   *
   * @param store where it is
   * @param reader who reads
   * @return the title
   * @throws Exception if there is none
   */
  @Benchmark
  public String titles(Store store, Reader reader) throws Exception {
    DocumentPath path = store.set.place(0, reader.random);
    String title =
        Objects.requireNonNull(reader.documents).get(1 + reader.random.nextInt(store.count), path);
    if (title == null) {
      throw new IllegalStateException("there is nothing at " + path);
    }
    return title;
  }
}
