package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.COLUMN;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.JSONB;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_EXTERNAL;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_LZ4;
import static io.pgtoaster.benchmarks.contender.Names.POSTGRES_PRO;

import io.pgtoaster.benchmarks.report.Chart;
import io.pgtoaster.benchmarks.report.Metric;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * Question 5. The operation: one value of a document is read by its path; or a key, or four, of all
 * documents of a table.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class KeyAccess {
  private static final List<String> CONTENDERS =
      List.of(CHUNK_TABLES, EXTENSION, POSTGRES_PRO, JSONB, JSONB_LZ4, JSONB_EXTERNAL, COLUMN);
  private static final String GET = "KeyAccess.get";
  private static final String MILLION = "1000000";
  private static final String BODY = "body size";

  static final Question QUESTION =
      new Question(
          5,
          "What does it cost to read a key, by the document's size, the key's place, size and"
              + " depth?",
          KeyAccess::plan,
          List.of(
              Chart.lines(
                      "A short key of the synthetic documents: time", GET, Metric.TIME, "elements")
                  .where("set", Subject.SYNTHETIC)
                  .where("key", Subject.SHORT),
              Chart.lines(
                      "A short key of the synthetic documents: pages",
                      GET,
                      Metric.PAGES,
                      "elements")
                  .where("set", Subject.SYNTHETIC)
                  .where("key", Subject.SHORT),
              Chart.lines(
                      "An actor's height: time, beside an ordinary column",
                      GET,
                      Metric.TIME,
                      "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.SHORT),
              Chart.lines("The title of any role of an actor: time", GET, Metric.TIME, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.ANY)
                  .shown("1", "50", "400", "3700", "33000"),
              Chart.lines("The title of any role of an actor: pages", GET, Metric.PAGES, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.ANY),
              Chart.bars(
                      "Keys of a synthetic document and elements of its key2, of a million: time",
                      GET,
                      Metric.TIME,
                      "key")
                  .where("set", Subject.SYNTHETIC)
                  .where("elements", MILLION)
                  .shown(Subject.SHORT, "key2", "key3", "key4", Subject.FIRST, Subject.LAST),
              Chart.bars(
                      "Keys of a synthetic document and elements of its key2, of a million: pages",
                      GET,
                      Metric.PAGES,
                      "key")
                  .where("set", Subject.SYNTHETIC)
                  .where("elements", MILLION),
              Chart.lines("A string, by its own size, in 1 MB: time", GET, Metric.TIME, "key")
                  .axis("string size")
                  .where("set", Subject.STRINGS),
              Chart.lines("A value, by its depth, in 1 MB: time", GET, Metric.TIME, "key")
                  .axis("depth")
                  .where("set", Subject.NESTED),
              Chart.bars(
                      "data->>'id' of a table, by the documents' size: pages",
                      "Tables.ids",
                      Metric.PAGES,
                      "body")
                  .axis(BODY)
                  .reference("1.8KB", 2_500, "before (source)")
                  .reference("2.1KB", 30_064, "after (source)"),
              Chart.bars("data->>'id' of a table: time", "Tables.ids", Metric.TIME, "body")
                  .axis(BODY)
                  .reference("1.8KB", 6_100, "before (source)")
                  .reference("2.1KB", 38_700, "after (source)")
                  .shown("1.8KB", "2.1KB", "20KB"),
              Chart.bars(
                      "Four counters summed over a table: time",
                      "Tables.aggregate",
                      Metric.TIME,
                      "body")
                  .axis(BODY),
              Chart.bars(
                      "Four counters summed over a table: pages",
                      "Tables.aggregate",
                      Metric.PAGES,
                      "body")
                  .axis(BODY)));

  static void plan(Plan plan) {
    Tables.plan(plan);
    for (String elements :
        plan.pick(
            List.of("1000"),
            List.of("10", MILLION),
            List.of("10", "100", "1000", "10000", "100000", "1000000"))) {
      add(plan, Subject.SYNTHETIC, elements, List.of(Subject.SHORT));
    }
    for (String elements :
        plan.pick(
            List.of("50"),
            List.of("50", "33000"),
            List.of("1", "5", "50", "400", "3700", "33000"))) {
      add(plan, Subject.ACTORS, elements, List.of(Subject.SHORT));
    }
    for (String elements :
        plan.pick(
            List.of("50"),
            List.of("1", "50", "400", "3700", "33000"),
            List.of("1", "5", "50", "400", "3700", "33000"))) {
      add(plan, Subject.ACTORS, elements, List.of(Subject.ANY));
    }
    if (plan.scale() == Scale.QUICK) {
      add(plan, Subject.SYNTHETIC, "1000", List.of("key4"));
    } else {
      add(plan, Subject.SYNTHETIC, MILLION, Subject.LONG_KEYS);
      add(plan, Subject.SYNTHETIC, MILLION, List.of(Subject.FIRST, Subject.MIDDLE, Subject.LAST));
      List<String> few = List.of("10KB", "1MB");
      List<String> all = List.of("10B", "1KB", "10KB", "100KB", "1MB");
      add(plan, Subject.STRINGS, "10000", plan.pick(few, few, all));
    }
    add(
        plan,
        Subject.NESTED,
        "10000",
        plan.pick(List.of("4"), List.of("16"), List.of("1", "2", "4", "8", "16", "32")));
  }

  private static void add(Plan plan, String set, String elements, List<String> keys) {
    for (String key : keys) {
      for (String contender : CONTENDERS) {
        if (!contender.equals(COLUMN) || key.equals(Subject.SHORT)) {
          plan.add(
              KeyAccess.class,
              "get",
              Plan.params("contender", contender, "set", set, "elements", elements, "key", key),
              plan.timed(),
              plan.reading());
        }
      }
    }
  }

  /**
   * Reads a value.
   *
   * @param documents where it is
   * @return the value
   * @throws Exception if there is none
   */
  @Benchmark
  public Object get(Documents documents) throws Exception {
    long row = documents.row();
    if (documents.contender.equals(COLUMN)) {
      return documents.number(row);
    }
    boolean whole = Subject.LONG_KEYS.contains(documents.key);
    String found =
        whole
            ? documents.session.text(row, documents.place())
            : documents.session.get(row, documents.place());
    if (found == null) {
      throw new IllegalStateException("there is nothing at " + documents.place());
    }
    return found;
  }
}
