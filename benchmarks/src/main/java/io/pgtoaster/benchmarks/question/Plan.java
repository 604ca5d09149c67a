package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.EXTENSION;
import static io.pgtoaster.benchmarks.contender.Names.MONGODB;
import static io.pgtoaster.benchmarks.contender.Names.POSTGRES_PRO;

import io.pgtoaster.benchmarks.report.Cells;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.report.figure.Footnote;
import io.pgtoaster.benchmarks.trial.Available;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Scale;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the cells of questions, and the cells that cannot be measured with the reason. */
public final class Plan {
  private static final String CONNECTIONS = "connections";

  /** Number of warm-up iterations for cells that need more than one. */
  private static final int WARM_UPS = 5;

  private final Scale scale;
  private final Available available;
  private final List<Cell> cells = new ArrayList<>();
  private final List<Footnote> skipped = new ArrayList<>();

  public Plan(Scale scale, Available available) {
    this.scale = scale;
    this.available = available;
  }

  /** Returns the cells to measure. */
  public List<Cell> cells() {
    return List.copyOf(cells);
  }

  /** Returns the cells that are not measured. */
  public List<Footnote> skipped() {
    return List.copyOf(skipped);
  }

  Scale scale() {
    return scale;
  }

  Available available() {
    return available;
  }

  <T> T pick(T quick, T standard) {
    return scale.pick(quick, standard);
  }

  /** Returns a batch with a fixed number of operations, timed together: for values that grow. */
  Batch batch(long operations) {
    return new Batch((int) operations, 1, scale.warmUps(), scale.iterations(), 0);
  }

  /** Returns the same with enough warm-up iterations to get the code compiled. */
  Batch warmed(long operations) {
    return batch(operations).withIterations(WARM_UPS * scale.warmUps(), scale.iterations());
  }

  /** Returns a batch with as many operations as fit into the time: for values that do not grow. */
  Batch timed() {
    return new Batch(0, 1, scale.warmUps(), scale.iterations(), scale.millis());
  }

  /** Returns a reason to skip cells without commits in a set that is about commits. */
  @Nullable String reading() {
    return available.durable() ? null : "nothing is committed, so that no commit waits";
  }

  /** Adds the cells of a question in this set. */
  public void add(Question question) {
    boolean async = scale == Scale.STANDARD && !available.durable();
    String set = async ? "async" : scale.name().toLowerCase(Locale.ROOT);
    for (Cells some : question.cells()) {
      if (some.sets().contains(set)) {
        add(some, List.copyOf(some.params().keySet()), new LinkedHashMap<>());
      }
    }
  }

  /** Adds all combinations of the parameters' values; the last parameter varies fastest. */
  private void add(Cells some, List<String> open, Map<String, String> chosen) {
    if (!open.isEmpty()) {
      for (String value : some.params().getOrDefault(open.get(0), List.of())) {
        Map<String, String> more = new LinkedHashMap<>(chosen);
        more.put(open.get(0), open.get(0).equals(CONNECTIONS) ? connections(value) : value);
        add(some, open.subList(1, open.size()), more);
      }
      return;
    }
    for (String contender : some.contenders()) {
      Map<String, String> params = new LinkedHashMap<>();
      // The server says whether it is MongoDB.
      params.put(
          "contender",
          contender.equals(MONGODB) && available.mongodb() != null
              ? available.mongodb()
              : contender);
      params.putAll(chosen);
      some.benchmarks().forEach(name -> add(name, Collections.unmodifiableMap(params)));
    }
  }

  /** Accepts a number, or a multiple of the cores: {@code 2 cores}. */
  private String connections(String text) {
    String[] parts = text.split(" ", -1);
    return parts.length == 1
        ? text
        : Integer.toString(Integer.parseInt(parts[0]) * available.cores());
  }

  /** Adds a cell, or notes the reason why it is skipped. */
  private void add(String benchmark, Map<String, String> params) {
    Task task = Task.of(benchmark);
    Cell cell = new Cell(benchmark, params, timed());
    String objection = task.objection().of(this, cell);
    String why = objection == null ? missing(cell) : objection;
    if (why == null) {
      Batch batch = task.batching().of(this, cell);
      cells.add(
          cell.with(
              params.containsKey(CONNECTIONS)
                  ? batch.withThreads(cell.number(CONNECTIONS))
                  : batch));
    } else {
      skipped.add(new Footnote(benchmark, params, why));
    }
  }

  private @Nullable String missing(Cell cell) {
    if (cell.contender().equals(EXTENSION) && !available.extension()) {
      return "the server has no extension: extension/versions build";
    }
    if (cell.contender().equals(POSTGRES_PRO) && !available.postgresPro()) {
      return "no Postgres Pro server was given";
    }
    if (cell.contender().equals(MONGODB) && available.mongodb() == null) {
      return "no MongoDB server was given";
    }
    boolean form = cell.contender().endsWith(", lz4");
    if (form && available.lz4Default()) {
      return "lz4 is the default of this server";
    }
    return (form || cell.get("compression").equals("lz4")) && !available.lz4()
        ? "this server was built without lz4"
        : null;
  }
}
