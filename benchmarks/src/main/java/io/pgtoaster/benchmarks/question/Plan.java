package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cells of questions, collected; those that are not valid stay out, with the reason. */
public final class Plan {
  private static final String READS = "nothing is committed, so that no commit waits";

  private final Scale scale;
  private final Available available;
  private final List<Cell> cells = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  /** Begins. */
  public Plan(Scale scale, Available available) {
    this.scale = scale;
    this.available = available;
  }

  /** Those to measure. */
  public List<Cell> cells() {
    return List.copyOf(cells);
  }

  /** Those that stay out. */
  public List<Skipped> skipped() {
    return List.copyOf(skipped);
  }

  Scale scale() {
    return scale;
  }

  Available available() {
    return available;
  }

  /** Of the standard set: one where commits wait for the disk, another where they do not. */
  <T> T durable(T waiting, T not) {
    return available.durable() || scale != Scale.STANDARD ? waiting : not;
  }

  <T> T pick(T quick, T standard, T full) {
    return scale.pick(quick, standard, full);
  }

  /** A number of operations that are timed together: for what grows. */
  Batch batch(int operations) {
    return new Batch(operations, 1, scale.warmUps(), scale.iterations(), 0);
  }

  /** As many operations as an iteration takes: for what stays as it is. */
  Batch timed() {
    return new Batch(0, 1, scale.warmUps(), scale.iterations(), scale.millis());
  }

  /** Adds a cell, or notes why not, if there is a reason. */
  void add(
      Class<?> type,
      String method,
      Map<String, String> params,
      Batch batch,
      @Nullable String reason) {
    String why = reason == null ? missing(params) : reason;
    if (why == null) {
      cells.add(new Cell(type.getName() + "." + method, params, batch));
    } else {
      skipped.add(new Skipped(type.getSimpleName() + "." + method, params, why));
    }
  }

  void add(Class<?> type, String method, Map<String, String> params, Batch batch) {
    add(type, method, params, batch, null);
  }

  /** A reason against what commits nothing, where only that is asked for what commits. */
  @Nullable String reading() {
    return available.durable() ? null : READS;
  }

  private @Nullable String missing(Map<String, String> params) {
    if (Names.EXTENSION.equals(params.get("contender")) && !available.extension()) {
      return "the server has no extension: extension/versions build";
    }
    if (Names.POSTGRES_PRO.equals(params.get("contender")) && !available.postgresPro()) {
      return "no Postgres Pro server was given";
    }
    boolean lz4 =
        "lz4".equals(params.get("compression"))
            || params.getOrDefault("contender", "").endsWith(", lz4");
    if (lz4 && !available.lz4()) {
      return "this server was built without lz4";
    }
    return null;
  }

  /** Parameters in an order. */
  static Map<String, String> params(String... namesAndValues) {
    Map<String, String> params = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      params.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Collections.unmodifiableMap(params);
  }
}
