package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.JSONB;

import io.pgtoaster.benchmarks.contender.DocumentContender;
import io.pgtoaster.benchmarks.contender.DocumentSession;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.jsonb.DocumentPath;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
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
 * Of question 7, how much may stay in the row: {@code row_budget} of the library, {@code
 * toast_tuple_target} of a stock table. Documents have a short key and members of 150 bytes. The
 * operation: the short key of all documents, or one of the others of one document.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Budgets {
  static final String AXIS = "bytes of the budget";

  /** Of {@code toast_tuple_target}; the library's least is 256. */
  private static final String LEAST = "128";

  private static final String SCAN = "SELECT sum((data ->> 'id')::bigint) FROM docs";
  private static final int MEMBERS = 20;
  private static final int MEMBER = 150;

  @Param(CHUNK_TABLES)
  public String contender;

  @Param("2032")
  public String budget;

  @Param("100")
  public String rows;

  private DocumentContender documents;
  private DocumentSession session;
  private PreparedStatement scan;
  private Random random;
  private int count;

  static void plan(Plan plan) {
    String rows = plan.pick("100", "2000", "20000");
    for (String budget :
        plan.pick(
            List.of("2032"),
            List.of(LEAST, "256", "2032", "8000"),
            List.of(LEAST, "256", "512", "1024", "2032", "4000", "8000"))) {
      boolean stock = budget.equals(LEAST);
      for (String contender : stock ? List.of(JSONB) : List.of(CHUNK_TABLES, JSONB)) {
        var params = Plan.params("contender", contender, "budget", budget, "rows", rows);
        plan.add(Budgets.class, "scan", params, plan.timed(), plan.reading());
        plan.add(Budgets.class, "get", params, plan.timed(), plan.reading());
      }
      if (!stock) {
        plan.add(
            Budgets.class,
            "get",
            Plan.params("contender", EXTENSION, "budget", budget, "rows", rows),
            plan.timed(),
            plan.reading());
      }
    }
  }

  /**
   * Writes the documents.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void open() throws Exception {
    random = new Random(MEMBERS);
    count = Integer.parseInt(rows);
    documents = DocumentContender.open(contender, new Storage("", Integer.parseInt(budget)));
    try (DocumentSession loader = documents.loader()) {
      for (int id = 0; id < count; id++) {
        String members =
            IntStream.range(0, MEMBERS)
                .mapToObj(i -> "\"m" + i + "\": \"" + Subject.noise(random, MEMBER) + "\"")
                .collect(Collectors.joining(", "));
        loader.insert(id, "{\"id\": " + id + ", " + members + "}");
      }
    }
    session = documents.session();
    documents.database().vacuum();
    scan = session.connection().prepareStatement(SCAN);
    Checks.plan(session.connection(), SCAN, "Seq Scan");
    Checks.equal("the sum", (long) count * (count - 1) / 2, scan());
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
   * Reads the short key of all documents.
   *
   * @return their sum
   * @throws Exception if that fails
   */
  @Benchmark
  public long scan() throws Exception {
    try (ResultSet r = scan.executeQuery()) {
      r.next();
      return r.getLong(1);
    }
  }

  /**
   * Reads another key of one.
   *
   * @return its value
   * @throws Exception if that fails
   */
  @Benchmark
  public String get() throws Exception {
    String found =
        session.get(random.nextInt(count), DocumentPath.of("m" + random.nextInt(MEMBERS)));
    Checks.equal("the length", MEMBER, found == null ? 0 : found.length());
    return found == null ? "" : found;
  }
}
