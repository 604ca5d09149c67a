package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.question.Cell;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
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
public record Question(
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
  public record Cells(
      List<String> sets,
      List<String> benchmarks,
      @Nullable List<String> contenders,
      Map<String, List<String>> params,
      @Nullable Integer operations,
      @Nullable Integer warmUps,
      @Nullable Integer iterations,
      @Nullable Integer threads) {}

  public static List<Question> all() {
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
  public List<Cell> cells(String set, UnaryOperator<String> rename) {
    List<Cell> all = new ArrayList<>();
    for (Cells some : cells) {
      if (some.sets().contains(set)) {
        for (Map<String, String> params : combinations(some.params())) {
          for (String contender : Objects.requireNonNullElse(some.contenders(), contenders)) {
            Map<String, String> named = new LinkedHashMap<>();
            named.put("contender", rename.apply(contender));
            named.putAll(params);
            some.benchmarks().forEach(b -> all.add(cell(b, named, some, set.equals("quick"))));
          }
        }
      }
    }
    return all;
  }

  private static Cell cell(
      String benchmark, Map<String, String> params, Cells some, boolean quick) {
    String connections = params.get("connections");
    return new Cell(
        benchmark,
        params,
        Objects.requireNonNullElse(some.operations(), 0),
        connections != null
            ? Integer.parseInt(connections)
            : Objects.requireNonNullElse(some.threads(), 1),
        quick ? 0 : Objects.requireNonNullElse(some.warmUps(), 1),
        quick ? 1 : Objects.requireNonNullElse(some.iterations(), 3),
        quick ? 20 : 150);
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
