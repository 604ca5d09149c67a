package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.report.Chart;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

class PlanTest {
  private static final Available ALL = new Available(true, true, true, true, 2, true);
  private static final Available NOTHING = new Available(false, false, false, false, 2, true);

  private static Plan plan(Scale scale, Available available) {
    Plan plan = new Plan(scale, available);
    Question.all().forEach(q -> q.planner().accept(plan));
    return plan;
  }

  @ParameterizedTest
  @EnumSource(Scale.class)
  void eachCell_isOfABenchmark_withTheseParameters_andOnce(Scale scale) throws Exception {
    Set<String> seen = new HashSet<>();
    for (Cell cell : plan(scale, ALL).cells()) {
      String type = cell.benchmark().substring(0, cell.benchmark().lastIndexOf('.'));
      String name = cell.benchmark().substring(type.length() + 1);
      Method method =
          Arrays.stream(Class.forName(type).getMethods())
              .filter(m -> m.getName().equals(name) && m.isAnnotationPresent(Benchmark.class))
              .findFirst()
              .orElseThrow();
      assertThat(params(method)).as(cell.name()).isEqualTo(cell.params().keySet());
      assertThat(seen.add(cell.toString())).as(cell.toString()).isTrue();
    }
  }

  private static Set<String> params(Method method) {
    return Stream.concat(
            Stream.of(method.getDeclaringClass()), Arrays.stream(method.getParameterTypes()))
        .flatMap(type -> Arrays.stream(type.getFields()))
        .filter(field -> field.isAnnotationPresent(Param.class))
        .map(Field::getName)
        .collect(Collectors.toSet());
  }

  @Test
  void eachChart_hasFigures_inTheStandardSet() {
    Plan plan = plan(Scale.STANDARD, ALL);
    for (Question question : Question.all()) {
      for (Chart chart : question.charts()) {
        assertThat(plan.cells())
            .as(chart.title())
            .anyMatch(
                cell ->
                    cell.name().equals(chart.benchmark())
                        && cell.params().keySet().containsAll(chart.series())
                        && cell.params().containsKey(chart.x())
                        && has(cell, chart.where()));
      }
    }
  }

  /** Budgets, Compression and Types ask for forms of storage themselves. */
  private static boolean has(Cell cell, Map<String, String> params) {
    return params.entrySet().stream()
        .allMatch(e -> e.getValue().equals(cell.params().get(e.getKey())));
  }

  @Test
  void eachPeer_isAskedInItsStrongestForms() {
    Map<String, List<String>> forms =
        Map.of(
            Names.JSONB,
            List.of(Names.JSONB_LZ4, Names.JSONB_EXTERNAL),
            Names.HIBERNATE,
            List.of(Names.HIBERNATE_LZ4, Names.HIBERNATE_EXTERNAL),
            Names.HYPERSISTENCE,
            List.of(Names.HYPERSISTENCE_LZ4, Names.HYPERSISTENCE_EXTERNAL),
            Names.LARGE_OBJECT,
            List.of(Names.LARGE_OBJECT_SQL));
    List<Cell> cells =
        plan(Scale.STANDARD, ALL).cells().stream()
            .filter(c -> !c.name().matches("(Budgets|Compression|Types)[.].*"))
            .toList();
    Set<String> asked = cells.stream().map(c -> c.name() + c.params()).collect(Collectors.toSet());
    long peers = 0;
    for (Cell cell : cells) {
      for (String form : forms.getOrDefault(cell.params().get("contender"), List.of())) {
        Map<String, String> params = new LinkedHashMap<>(cell.params());
        params.put("contender", form);
        assertThat(asked.contains(cell.name() + params)).as(cell.name() + params).isTrue();
        peers++;
      }
    }
    assertThat(peers).isGreaterThan(100);
  }

  @Test
  void whatAServerLacks_isNotMeasured_andSaysWhy() {
    Plan plan = plan(Scale.QUICK, NOTHING);

    assertThat(plan.cells())
        .noneMatch(c -> c.params().containsValue("extension"))
        .noneMatch(c -> c.params().containsValue("Postgres Pro"))
        .noneMatch(c -> c.params().containsValue("lz4"))
        .noneMatch(c -> c.params().containsValue("hstore"));
    assertThat(plan.skipped()).allMatch(s -> !s.reason().isBlank());
  }

  @Test
  void aBytea_ofAGigabyte_isNotAskedFor() {
    assertThat(plan(Scale.FULL, ALL).skipped())
        .anyMatch(s -> s.params().containsValue("1GB") && s.reason().contains("cannot have 1 GB"));
  }

  @Test
  void whereNoCommitWaits_whatCommitsNothing_isNotMeasuredAgain() {
    Plan plan = plan(Scale.STANDARD, new Available(true, true, true, true, 2, false));

    assertThat(plan.cells())
        .noneMatch(c -> c.name().matches("(KeyAccess|Tables|Compression|Budgets|Types)[.].*"))
        .noneMatch(c -> c.name().matches("Streams[.](read|range)|Updates[.]load"))
        .anyMatch(c -> c.name().equals("Growth.grow") && c.params().containsValue("100B"));
    assertThat(plan.cells().size()).isLessThan(215);
    assertThat(plan.skipped()).anyMatch(s -> s.reason().contains("nothing is committed"));
  }

  @Test
  void standard_isOfTwentyMinutes() {
    assertThat(plan(Scale.STANDARD, ALL).cells().size()).isLessThan(640);
  }

  @Test
  void quick_isOfAHundredCells() {
    assertThat(plan(Scale.QUICK, NOTHING).cells().size()).isLessThan(120);
  }
}
