package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.HIBERNATE;
import static io.pgtoaster.benchmarks.contender.Names.HIBERNATE_EXTERNAL;
import static io.pgtoaster.benchmarks.contender.Names.HIBERNATE_LZ4;
import static io.pgtoaster.benchmarks.contender.Names.HYPERSISTENCE;
import static io.pgtoaster.benchmarks.contender.Names.HYPERSISTENCE_EXTERNAL;
import static io.pgtoaster.benchmarks.contender.Names.HYPERSISTENCE_LZ4;

import io.pgtoaster.benchmarks.contender.OrmContender;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.report.Chart;
import io.pgtoaster.benchmarks.report.Metric;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.List;
import java.util.Map;
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

/**
 * Question 8. The operation: a transaction loads an entity with a document, reads from it, changes
 * nothing, one small member, or adds an element to an array, and commits.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Entities {
  private static final List<String> CONTENDERS =
      List.of(
          CHUNK_TABLES,
          EXTENSION,
          HYPERSISTENCE,
          HYPERSISTENCE_LZ4,
          HYPERSISTENCE_EXTERNAL,
          HIBERNATE,
          HIBERNATE_LZ4,
          HIBERNATE_EXTERNAL);
  private static final String TRANSACTION = "Entities.transaction";
  private static final String NOTHING = "nothing";
  private static final String MEMBER = "one member";
  private static final String APPEND = "append";

  static final Question QUESTION =
      new Question(
          8,
          "What does a document as an attribute of an entity cost?",
          Entities::plan,
          List.of(
              Chart.lines("Nothing changed: time", TRANSACTION, Metric.TIME, "roles")
                  .where("change", NOTHING),
              Chart.lines("One member changed: time", TRANSACTION, Metric.TIME, "roles")
                  .where("change", MEMBER)
                  .shown("10", "1000"),
              Chart.lines("An element appended: time", TRANSACTION, Metric.TIME, "roles")
                  .where("change", APPEND)
                  .shown("10", "1000"),
              Chart.lines(
                      "Nothing changed: allocated by the client",
                      TRANSACTION,
                      Metric.ALLOCATED,
                      "roles")
                  .where("change", NOTHING),
              Chart.lines(
                      "One member changed: allocated by the client",
                      TRANSACTION,
                      Metric.ALLOCATED,
                      "roles")
                  .where("change", MEMBER),
              Chart.lines(
                      "An element appended: allocated by the client",
                      TRANSACTION,
                      Metric.ALLOCATED,
                      "roles")
                  .where("change", APPEND),
              Chart.lines("One member changed: log", TRANSACTION, Metric.WAL, "roles")
                  .where("change", MEMBER),
              Chart.lines("An element appended: log", TRANSACTION, Metric.WAL, "roles")
                  .where("change", APPEND),
              Chart.bars("Statements", TRANSACTION, Metric.STATEMENTS, "change")
                  .where("roles", "1000")));

  @Param(CHUNK_TABLES)
  public String contender;

  @Param("100")
  public String roles;

  @Param(MEMBER)
  public String change;

  private OrmContender orm;
  private int turn;
  private int appended;

  static void plan(Plan plan) {
    for (String roles :
        plan.pick(
            List.of("100"),
            plan.durable(List.of("10", "1000"), List.of("10")),
            List.of("10", "100", "1000", "10000", "33000"))) {
      for (String change : List.of(NOTHING, MEMBER, APPEND)) {
        for (String contender : CONTENDERS) {
          plan.add(
              Entities.class,
              "transaction",
              Plan.params("contender", contender, "roles", roles, "change", change),
              plan.timed(),
              change.equals(NOTHING) ? plan.reading() : null);
        }
      }
    }
  }

  /**
   * Makes the session factory and the entity.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void open() throws Exception {
    orm = OrmContender.open(contender, DocumentSet.actors(1, Integer.parseInt(roles)).text(0));
  }

  /**
   * Reads the counters.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin() throws Exception {
    orm.database().vacuum();
    orm.takeStatements();
    Meter.begin(orm.database());
  }

  /**
   * Reads them again.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Iteration)
  public void end() throws Exception {
    Counters cost = Meter.end(orm.database());
    if (!change.equals(NOTHING)) {
      Checks.written(cost);
    }
    Meter.share("statements", (double) orm.takeStatements(), "statements/op");
  }

  /**
   * Looks whether the changes are there.
   *
   * @throws Exception if not
   */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    OrmContender closed = orm;
    try (closed) {
      if (change.equals(MEMBER)) {
        Checks.equal("the height", height(), orm.height());
      }
      Checks.equal("roles", Integer.parseInt(roles) + appended, orm.roles());
    }
  }

  private String height() {
    return 150 + turn % 50 + " cm";
  }

  /**
   * Works on the entity.
   *
   * @return what was read
   * @throws Exception if that fails
   */
  @Benchmark
  public String transaction() throws Exception {
    turn++;
    return orm.inTransaction(
        actor -> {
          if (change.equals(MEMBER)) {
            actor.changeHeight(height());
          } else if (change.equals(APPEND)) {
            appended++;
            actor.addRole(Map.of("title", "Night " + turn, "year", 1999));
          }
        });
  }
}
