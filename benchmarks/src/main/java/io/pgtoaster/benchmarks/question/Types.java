package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.BYTEA;
import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.JSONB;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_LZ4;

import io.pgtoaster.benchmarks.contender.DocumentContender;
import io.pgtoaster.benchmarks.contender.DocumentSession;
import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.report.Chart;
import io.pgtoaster.benchmarks.report.Metric;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Meter;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

/**
 * Of question 7, the table of the source on query time of large JSON values: ten pairs of a key and
 * a value in each row. The operation: the rows are counted that have a key.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Types {
  private static final int ROWS = 2_000;
  private static final String HSTORE = "hstore";
  private static final String JSON = "json";
  private static final String INLINE = "inline plain";
  private static final String INLINE_COMPRESSED = "inline compressed";
  private static final String TOAST = "TOAST plain";
  private static final String TOAST_COMPRESSED = "TOAST compressed";

  static final Chart CHART =
      withSource(
          Chart.bars(
              "Count the rows that have a key, by type and storage: time",
              "Types.count",
              Metric.TIME,
              "storage"));

  @Param(CHUNK_TABLES)
  public String contender;

  @Param(INLINE)
  public String storage;

  @Param("100")
  public String rows;

  private Database database;
  private PreparedStatement count;

  static void plan(Plan plan) {
    String rows = plan.pick("200", Integer.toString(ROWS), Integer.toString(ROWS));
    for (String storage :
        plan.pick(
            List.of(TOAST_COMPRESSED),
            List.of(INLINE, TOAST_COMPRESSED),
            List.of(INLINE, INLINE_COMPRESSED, TOAST, TOAST_COMPRESSED))) {
      for (String contender : List.of(CHUNK_TABLES, HSTORE, JSONB, JSONB_LZ4, JSON, BYTEA)) {
        if (contender.equals(JSONB_LZ4) && !storage.endsWith("compressed")) {
          continue;
        }
        plan.add(
            Types.class,
            "count",
            Plan.params("contender", contender, "storage", storage, "rows", rows),
            plan.timed(),
            contender.equals(HSTORE) && !plan.available().hstore()
                ? "this server has no hstore"
                : plan.reading());
      }
    }
  }

  /** The source's milliseconds for a million rows, for as many as here. */
  private static Chart withSource(Chart chart) {
    Map<String, List<Integer>> millis = new LinkedHashMap<>();
    millis.put(HSTORE, List.of(553, 1_080, 3_437, 7_454));
    millis.put(JSONB, List.of(746, 1_178, 3_393, 7_624));
    millis.put(JSON, List.of(10_797, 11_795, 14_011, 22_197));
    millis.put(BYTEA, List.of(380, 606, 3_332, 7_054));
    List<String> storages = List.of(INLINE, INLINE_COMPRESSED, TOAST, TOAST_COMPRESSED);
    Chart more = chart;
    for (Map.Entry<String, List<Integer>> type : millis.entrySet()) {
      for (int i = 0; i < storages.size(); i++) {
        double micros = type.getValue().get(i) * 1000.0 * ROWS / 1e6;
        more =
            more.reference(
                storages.get(i), micros, type.getKey() + " (source / " + 1_000_000 / ROWS + ")");
      }
    }
    return more;
  }

  /** Text of one of nine values, that compresses as the storage wants it. */
  private String value(Random random) {
    return switch (storage) {
      case INLINE -> Subject.noise(random, 20);
      case INLINE_COMPRESSED -> Subject.noise(random, 10).repeat(50);
      case TOAST -> Subject.noise(random, 500);
      default -> Subject.noise(random, 400) + Subject.noise(random, 10).repeat(30);
    };
  }

  /**
   * Writes the rows.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void open() throws Exception {
    Random random = new Random(storage.length());
    int all = Integer.parseInt(rows);
    if (contender.equals(CHUNK_TABLES)) {
      fillKeyed(random, all);
    } else {
      fill(random, all);
    }
    database.vacuum();
    String having =
        switch (contender) {
          case JSON -> "data -> 'k3' IS NOT NULL";
          case BYTEA -> "substring(data FROM 1 FOR 2) = '\\x6b33'";
          default -> "data ? 'k3'";
        };
    // A question mark that is an operator is doubled for the driver.
    count =
        database
            .connect()
            .prepareStatement("SELECT count(*) FROM bench.docs WHERE " + having.replace("?", "??"));
    Checks.equal("the count", (long) all, count());
  }

  private void fillKeyed(Random random, int all) throws SQLException {
    DocumentContender keyed = DocumentContender.open(CHUNK_TABLES, Storage.defaults());
    database = keyed.database();
    try (DocumentSession session = keyed.loader()) {
      for (int id = 0; id < all; id++) {
        session.insert(id, json(random));
      }
    }
  }

  private void fill(Random random, int all) throws SQLException {
    database = Database.create(Kind.PLAIN);
    if (contender.equals(HSTORE)) {
      database.run("CREATE EXTENSION hstore");
    }
    String type = Names.who(contender);
    database.run("CREATE TABLE bench.docs (id bigint PRIMARY KEY, data " + type + ")");
    if (contender.equals(JSONB_LZ4)) {
      database.run("ALTER TABLE bench.docs ALTER COLUMN data SET COMPRESSION lz4");
    }
    String kind =
        switch (storage) {
          case INLINE_COMPRESSED -> "MAIN";
          case TOAST -> "EXTERNAL";
          case INLINE -> "PLAIN";
          default -> "EXTENDED";
        };
    database.run("ALTER TABLE bench.docs ALTER COLUMN data SET STORAGE " + kind);
    String cast =
        switch (contender) {
          case HSTORE ->
              "(SELECT hstore(array_agg(key), array_agg(value)) FROM json_each_text(?::json))";
          case BYTEA -> "convert_to(?, 'UTF8')";
          default -> "?::" + type;
        };
    try (PreparedStatement s =
        database.connection().prepareStatement("INSERT INTO bench.docs VALUES (?, " + cast + ")")) {
      for (int id = 0; id < all; id++) {
        s.setLong(1, id);
        s.setString(2, contender.equals(BYTEA) ? "k3" + json(random) : json(random));
        s.addBatch();
        if (id % 500 == 499 || id == all - 1) {
          s.executeBatch();
        }
      }
    }
  }

  private String json(Random random) {
    return IntStream.range(0, 10)
        .mapToObj(i -> "\"k" + i + "\": \"" + (i == 3 ? "yes" : value(random)) + "\"")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /**
   * Reads the counters.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin() throws Exception {
    Meter.begin(database);
  }

  /**
   * Reads them again.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Iteration)
  public void end() throws Exception {
    Meter.end(database);
    Meter.add("disk", database.diskBytes(), "B");
  }

  /**
   * Drops everything.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    database.close();
  }

  /**
   * Counts.
   *
   * @return how many rows have the key
   * @throws Exception if that fails
   */
  @Benchmark
  public long count() throws Exception {
    try (ResultSet r = count.executeQuery()) {
      r.next();
      return r.getLong(1);
    }
  }
}
