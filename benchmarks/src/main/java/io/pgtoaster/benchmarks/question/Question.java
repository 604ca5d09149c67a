package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.question.Figure.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A question, from {@code question-N.json}.
 *
 * @param title the question itself
 * @param operation description of one operation
 * @param why why pgtoaster loses in some cells
 * @param columns columns of its table
 * @param contenders contenders of cells that do not name any
 * @param cells cells to measure
 */
record Question(
    String title,
    String operation,
    String why,
    List<Column> columns,
    List<String> contenders,
    List<Cells> cells) {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /**
   * Cells of a question: each benchmark with each contender and each combination of parameters.
   *
   * @param sets sets that contain them: quick, standard, async (standard without durable commits)
   * @param benchmarks names such as Appends.append
   * @param contenders contenders; missing for those of the question
   * @param params values of each parameter
   * @param operations operations timed together; missing for values that do not grow
   * @param warmUps warm-up iterations; missing for one
   * @param iterations iterations; missing for three
   * @param threads number of threads, without the parameter {@code connections}; missing for one
   */
  record Cells(
      List<String> sets,
      List<String> benchmarks,
      @Nullable List<String> contenders,
      Map<String, List<String>> params,
      int operations,
      @Nullable Integer warmUps,
      @Nullable Integer iterations,
      int threads) {
    private Cell cell(String benchmark, Map<String, String> params, boolean quick) {
      String connections = params.get("connections");
      return new Cell(
          benchmark,
          params,
          operations,
          connections == null ? Math.max(1, threads) : Integer.parseInt(connections),
          quick ? 0 : Objects.requireNonNullElse(warmUps, 1),
          quick ? 1 : Objects.requireNonNullElse(iterations, 3),
          quick ? 20 : 150);
    }
  }

  /**
   * A column of a table: one figure per contender.
   *
   * @param title title of the column
   * @param benchmark class and method
   * @param metric metric to show; time if missing
   * @param where parameter values that select one cell per contender
   */
  record Column(String title, String benchmark, Metric metric, Map<String, String> where) {
    /** pgtoaster first, then its peers. */
    static final List<String> ORDER =
        List.of(
            Names.CHUNK_TABLES,
            Names.EXTENSION,
            Names.LARGE_OBJECT,
            Names.BYTEA,
            Names.JSONB,
            Names.HIBERNATE,
            Names.HYPERSISTENCE,
            Names.MONGODB,
            Names.FERRETDB,
            Names.INDEXED_TABLE);

    /** Defaults to time and to no condition. */
    Column {
      metric = Objects.requireNonNullElse(metric, Metric.TIME);
      where = Objects.requireNonNullElse(where, Map.of());
    }

    /** Returns the best figure of each peer. */
    Map<String, Figure> of(Results results) {
      Map<String, Figure> best = new LinkedHashMap<>();
      Map<String, Figure> known = new LinkedHashMap<>();
      results.figures().stream()
          .filter(f -> f.matches(benchmark, where) && Double.isFinite(f.value(metric)))
          .sorted(Comparator.comparingInt(f -> ORDER.indexOf(Names.who(f.contender()))))
          .forEach(
              f -> {
                if (known.put(f.contender(), f) != null) {
                  throw new IllegalStateException(title + " has two cells of " + f.contender());
                }
                String peer = Names.who(f.contender());
                best.merge(peer, f, (one, two) -> two.better(one, metric) ? two : one);
              });
      return best;
    }
  }

  static List<Question> all() {
    return IntStream.rangeClosed(1, 9).mapToObj(Question::of).toList();
  }

  private static Question of(int number) {
    String name = "question-" + number + ".json";
    try (@Nullable InputStream in = Question.class.getResourceAsStream(name)) {
      return JSON.readValue(Objects.requireNonNull(in, name), Question.class);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + name, e);
    }
  }

  /**
   * Returns the cells in a set.
   *
   * @param set quick, standard or async
   * @param rename returns the name of a contender on these servers
   */
  List<Cell> cells(String set, UnaryOperator<String> rename) {
    List<Cell> all = new ArrayList<>();
    for (Cells some : cells) {
      if (some.sets().contains(set)) {
        for (Map<String, String> params : combinations(some.params())) {
          for (String contender : Objects.requireNonNullElse(some.contenders(), contenders)) {
            Map<String, String> named = new LinkedHashMap<>();
            named.put("contender", rename.apply(contender));
            named.putAll(params);
            some.benchmarks().forEach(b -> all.add(some.cell(b, named, set.equals("quick"))));
          }
        }
      }
    }
    return all;
  }

  /** Returns all combinations of the parameters' values; the last parameter varies fastest. */
  private static List<Map<String, String>> combinations(Map<String, List<String>> params) {
    List<Map<String, String>> all = List.of(Map.of());
    for (Map.Entry<String, List<String>> param : params.entrySet()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> some : all) {
        for (String value : param.getValue()) {
          Map<String, String> more = new LinkedHashMap<>(some);
          more.put(param.getKey(), value);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all;
  }
}
