package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.COLUMN;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.JSONB;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_EXTERNAL;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_LZ4;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_TARGET;
import static io.pgtoaster.benchmarks.contender.Names.POSTGRES_PRO;

import io.pgtoaster.benchmarks.contender.DocumentContender;
import io.pgtoaster.benchmarks.contender.DocumentSession;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.server.Meter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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

/** Of question 5, what is asked of a whole table. The operation: one query over all rows. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Tables {
  private static final List<String> CONTENDERS =
      List.of(CHUNK_TABLES, POSTGRES_PRO, JSONB, JSONB_LZ4, JSONB_EXTERNAL, JSONB_TARGET, COLUMN);
  private static final List<String> COUNTERS = List.of("score", "views", "answers", "favorites");

  private static final String IDS = "SELECT count(data ->> 'id') FROM docs";

  private static final String MIDDLE = "2.1KB";
  private static final String LARGE = "20KB";

  /** The first fills a fourth of a page, as the rows of the source did before they were updated. */
  private static final List<String> BODIES = List.of("1.8KB", MIDDLE, LARGE);

  @Param(CHUNK_TABLES)
  public String contender;

  @Param(MIDDLE)
  public String body;

  @Param("100")
  public String rows;

  private DocumentContender documents;
  private PreparedStatement ids;
  private PreparedStatement aggregate;

  static void plan(Plan plan) {
    for (String body : plan.pick(List.of(MIDDLE), BODIES, BODIES)) {
      boolean large = body.equals(LARGE);
      String rows = plan.pick("200", large ? "1000" : "10000", "10000");
      for (String contender : CONTENDERS) {
        var params = Plan.params("contender", contender, "body", body, "rows", rows);
        if (!contender.equals(COLUMN)) {
          plan.add(Tables.class, "ids", params, plan.timed(), plan.reading());
        }
        if (body.equals(MIDDLE) || (large && plan.scale() == Scale.FULL)) {
          plan.add(Tables.class, "aggregate", params, plan.timed(), plan.reading());
        }
      }
    }
    plan.add(
        Tables.class,
        "ids",
        Plan.params("contender", EXTENSION),
        plan.timed(),
        "the same statements on the same rows as chunk tables");
  }

  /**
   * Writes the documents.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void open() throws Exception {
    documents = DocumentContender.open(contender, Storage.defaults());
    int size = (int) (Double.parseDouble(body.substring(0, body.length() - 2)) * 1000);
    int count = Integer.parseInt(rows);
    Random random = new Random(size);
    try (DocumentSession session = documents.loader()) {
      for (int id = 0; id < count; id++) {
        session.insert(id, post(id, Subject.noise(random, size)));
      }
    }
    if (contender.equals(COLUMN)) {
      for (String counter : COUNTERS) {
        documents.database().run("ALTER TABLE bench.docs ADD " + counter + " bigint");
      }
      documents
          .database()
          .run(
              "UPDATE bench.docs SET "
                  + COUNTERS.stream()
                      .map(c -> c + " = (data ->> '" + c + "')::bigint")
                      .collect(Collectors.joining(", ")));
      documents.database().run("VACUUM FULL bench.docs");
    }
    documents.database().vacuum();
    Connection connection = documents.database().connect();
    ids = connection.prepareStatement(IDS);
    String each = contender.equals(COLUMN) ? "%s" : "(data ->> '%s')::bigint";
    aggregate =
        connection.prepareStatement(
            COUNTERS.stream()
                .map(c -> "sum(" + each.formatted(c) + ")")
                .collect(Collectors.joining(" + ", "SELECT ", " FROM docs")));
    Checks.plan(connection, IDS, "Seq Scan");
    long one = 4L * count * (count - 1) / 2 + 6L * count;
    Checks.equal("the sum", one, value(aggregate));
    Checks.equal("the count", contender.equals(COLUMN) ? value(ids) : (long) count, value(ids));
  }

  private static String post(int id, String text) {
    return String.format(
        Locale.ROOT,
        "{\"id\": %d, \"body\": \"%s\", \"score\": %d, \"views\": %d, \"answers\": %d,"
            + " \"favorites\": %d}",
        id,
        text,
        id,
        id + 1,
        id + 2,
        id + 3);
  }

  /**
   * Reads the counters.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin() throws Exception {
    Meter.begin(documents.database());
  }

  /**
   * Reads them again.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Iteration)
  public void end() throws Exception {
    Meter.end(documents.database());
    Meter.add("disk", documents.database().diskBytes(), "B");
  }

  /**
   * Drops everything.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    documents.close();
  }

  /**
   * Asks for a key of each document.
   *
   * @return how many have it
   * @throws Exception if that fails
   */
  @Benchmark
  public long ids() throws Exception {
    return value(ids);
  }

  /**
   * Adds up four counters of each document.
   *
   * @return their sum
   * @throws Exception if that fails
   */
  @Benchmark
  public long aggregate() throws Exception {
    return value(aggregate);
  }

  private static long value(PreparedStatement s) throws SQLException {
    try (ResultSet r = s.executeQuery()) {
      r.next();
      return r.getLong(1);
    }
  }
}
