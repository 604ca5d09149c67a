package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.JSONB;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_EXTERNAL;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_LZ4;
import static io.pgtoaster.benchmarks.contender.Names.POSTGRES_PRO;

import io.pgtoaster.benchmarks.report.Chart;
import io.pgtoaster.benchmarks.report.Metric;
import io.pgtoaster.jsonb.DocumentPath;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * Question 6. The operation: one value of a document is set, one element is inserted; a document is
 * put with one key changed; or all of it is loaded as text. Each is committed.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Updates {
  private static final List<String> CONTENDERS =
      List.of(CHUNK_TABLES, EXTENSION, POSTGRES_PRO, JSONB, JSONB_LZ4, JSONB_EXTERNAL);
  private static final String SET = "Updates.set";
  private static final String APPEND = "Updates.append";

  static final Question QUESTION =
      new Question(
          6,
          "What does it cost to change a key or an element, and to put and load whole documents?",
          Updates::plan,
          List.of(
              Chart.lines("Set a short key of an actor: time", SET, Metric.TIME, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.SHORT),
              Chart.lines("Set a short key of an actor: log", SET, Metric.WAL, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.SHORT),
              Chart.lines("Set a short key of an actor: pages", SET, Metric.PAGES, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.SHORT),
              Chart.lines("Set the title of any role: time", SET, Metric.TIME, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.ANY)
                  .shown("1", "50", "400", "3700", "33000"),
              Chart.lines("Set the title of any role: log", SET, Metric.WAL, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.ANY),
              Chart.lines("Set the title of any role: pages", SET, Metric.PAGES, "elements")
                  .where("set", Subject.ACTORS)
                  .where("key", Subject.ANY),
              Chart.bars(
                      "Set the first and last element of a million zeros: time",
                      SET,
                      Metric.TIME,
                      "key")
                  .where("set", Subject.SYNTHETIC)
                  .where("elements", "1000000"),
              Chart.bars(
                      "Set the first and last element of a million zeros: log",
                      SET,
                      Metric.WAL,
                      "key")
                  .where("set", Subject.SYNTHETIC)
                  .where("elements", "1000000"),
              Chart.bars(
                      "Set the first and last element of a million zeros: pages",
                      SET,
                      Metric.PAGES,
                      "key")
                  .where("set", Subject.SYNTHETIC)
                  .where("elements", "1000000"),
              Chart.bars(
                  "Insert an element at the front and at the end: time",
                  "Updates.insert",
                  Metric.TIME,
                  "key"),
              Chart.bars("Insert an element: log", "Updates.insert", Metric.WAL, "key"),
              Chart.lines("Append a role to an actor: time", APPEND, Metric.TIME, "elements")
                  .shown("50", "33000"),
              Chart.lines("Append a role to an actor: log", APPEND, Metric.WAL, "elements"),
              Chart.lines("Append a role to an actor: pages", APPEND, Metric.PAGES, "elements"),
              Chart.lines(
                      "Put a whole actor with one key changed: time",
                      "Updates.put",
                      Metric.TIME,
                      "elements")
                  .shown("1", "1000", "33000"),
              Chart.lines(
                  "Put a whole actor with one key changed: log",
                  "Updates.put",
                  Metric.WAL,
                  "elements"),
              Chart.lines("Load a whole actor: time", "Updates.load", Metric.TIME, "elements")));

  static void plan(Plan plan) {
    List<String> all = List.of("1", "5", "50", "400", "3700", "33000");
    for (String elements : plan.pick(List.of("50"), List.of("1", "33000"), all)) {
      add(plan, "set", Subject.ACTORS, elements, List.of(Subject.SHORT));
    }
    for (String elements :
        plan.pick(
            List.of("50"),
            plan.durable(List.of("1", "50", "400", "3700", "33000"), List.of("50", "33000")),
            all)) {
      add(plan, "set", Subject.ACTORS, elements, List.of(Subject.ANY));
    }
    for (String elements :
        plan.pick(
            List.of("50"),
            plan.durable(List.of("1", "1000", "33000"), List.of("1", "1000")),
            all)) {
      add(plan, "put", Subject.ACTORS, elements, List.of(Subject.SHORT));
      add(plan, "load", Subject.ACTORS, elements, List.of(Subject.SHORT));
    }
    for (String elements :
        plan.pick(
            List.of("50"),
            plan.durable(List.of("50", "1000", "33000"), List.of("50", "33000")),
            List.of("50", "400", "3700", "33000"))) {
      boolean large = elements.equals("33000");
      for (String contender : CONTENDERS) {
        plan.add(
            Updates.class,
            "append",
            params(contender, Subject.ACTORS, elements, Subject.ARRAY),
            plan.batch(plan.pick(10, large ? 20 : 100, large ? 20 : 100)));
      }
    }
    List<String> positions =
        plan.pick(
            List.of(Subject.MIDDLE),
            plan.durable(List.of(Subject.FIRST, Subject.LAST), List.of(Subject.FIRST)),
            List.of(Subject.FIRST, Subject.MIDDLE, Subject.LAST));
    add(plan, "set", Subject.SYNTHETIC, plan.pick("1000", "1000000", "1000000"), positions);
    add(plan, "insert", Subject.SYNTHETIC, plan.pick("1000", "1000000", "1000000"), positions);
  }

  private static void add(
      Plan plan, String method, String set, String elements, List<String> keys) {
    for (String key : keys) {
      for (String contender : CONTENDERS) {
        plan.add(
            Updates.class,
            method,
            params(contender, set, elements, key),
            plan.timed(),
            method.equals("load") ? plan.reading() : null);
      }
    }
  }

  private static Map<String, String> params(
      String contender, String set, String elements, String key) {
    return Plan.params("contender", contender, "set", set, "elements", elements, "key", key);
  }

  /**
   * Sets a value.
   *
   * @param documents where it is
   * @throws Exception if that fails
   */
  @Benchmark
  public void set(Documents documents) throws Exception {
    long row = documents.row();
    DocumentPath path = documents.place();
    Object value = documents.subject.values().apply(documents.random);
    documents.session.set(row, path, value);
    documents.written(row, path, value);
  }

  /**
   * Inserts an element.
   *
   * @param documents where it is
   * @throws Exception if that fails
   */
  @Benchmark
  public void insert(Documents documents) throws Exception {
    long row = documents.row();
    DocumentPath path = documents.place();
    Object value = documents.subject.values().apply(documents.random);
    documents.session.insertAt(row, path, value);
    documents.written(row, path, value);
  }

  /**
   * Appends elements: so many that the array hardly grows.
   *
   * @param documents where it is
   * @throws Exception if that fails
   */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  public void append(Documents documents) throws Exception {
    for (int i = 0; i < documents.operations; i++) {
      long row = documents.row();
      DocumentPath array = documents.place();
      Object element = documents.subject.values().apply(documents.random);
      documents.session.append(row, array, element);
      DocumentPath last = array.index(-1);
      if (element instanceof Map<?, ?> role) {
        documents.written(row, last.key("title"), Objects.requireNonNull(role.get("title")));
      } else {
        documents.written(row, last, element);
      }
    }
  }

  /**
   * Puts a document with another short value.
   *
   * @param documents where it is
   * @throws Exception if that fails
   */
  @Benchmark
  public void put(Documents documents) throws Exception {
    long row = documents.row();
    Object value = documents.subject.values().apply(documents.random);
    String text = documents.subject.text();
    int at = text.lastIndexOf("\"height\"");
    int end = text.indexOf(" cm", at);
    String changed = text.substring(0, end - 3) + value + text.substring(end + 3);
    documents.session.put(row, changed);
    documents.written(row, documents.place(), value);
  }

  /**
   * Loads a document.
   *
   * @param documents where it is
   * @return its text
   * @throws Exception if that fails
   */
  @Benchmark
  public String load(Documents documents) throws Exception {
    String text = documents.session.load(documents.row());
    if (text.length() < documents.subject.text().length() / 2) {
      throw new IllegalStateException("too little of a document: " + text.length());
    }
    return text;
  }
}
