package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.harness.Measured;
import io.pgtoaster.benchmarks.report.Column;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.report.figure.Footnote;
import io.pgtoaster.benchmarks.trial.Available;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Scale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

class PlanTest {
  private static final Available ALL = new Available(true, true, "MongoDB", true, false, 2, true);

  /** The features of the servers on which the committed sets were measured. */
  private static final Available COMMITTED =
      new Available(true, false, "FerretDB", true, true, 2, true);

  private static final Available NOTHING = new Available(false, false, null, false, false, 2, true);

  private static Plan plan(Scale scale, Available available) {
    Plan plan = new Plan(scale, available);
    Question.all().forEach(plan::add);
    return plan;
  }

  @ParameterizedTest
  @EnumSource(Scale.class)
  void eachCell_existsOnce(Scale scale) {
    assertThat(plan(scale, ALL).cells()).doesNotHaveDuplicates();
  }

  @Test
  void cell_isPassedToItsProcess() {
    Cell cell = plan(Scale.QUICK, ALL).cells().get(0);

    assertThat(JsonMapper.shared().readValue(Measured.param(cell), Cell.class)).isEqualTo(cell);
  }

  @Test
  void quick_hasEachBenchmark_andEachContender() {
    Plan quick = plan(Scale.QUICK, ALL);
    Plan standard = plan(Scale.STANDARD, ALL);

    assertThat(quick.cells().stream().map(Cell::benchmark))
        .containsAll(standard.cells().stream().map(Cell::benchmark).toList());
    assertThat(quick.cells().stream().map(Cell::contender))
        .containsAll(standard.cells().stream().map(Cell::contender).toList());
  }

  @Test
  void eachColumn_hasFigures_inTheStandardSet() {
    Plan plan = plan(Scale.STANDARD, ALL);
    for (Question question : Question.all()) {
      for (Column column : question.columns()) {
        assertThat(plan.cells())
            .as(question.title() + column.title())
            .anyMatch(
                cell -> cell.benchmark().equals(column.benchmark()) && has(cell, column.where()));
      }
    }
  }

  private static boolean has(Cell cell, Map<String, String> params) {
    return params.entrySet().stream()
        .allMatch(e -> e.getValue().equals(cell.params().get(e.getKey())));
  }

  /** Except in Compression, which compares forms of storage. */
  @Test
  void eachPeer_isMeasuredInItsStrongestForms() {
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
            .filter(c -> !c.benchmark().matches("Compression[.].*"))
            .toList();
    Set<String> asked =
        cells.stream().map(c -> c.benchmark() + c.params()).collect(Collectors.toSet());
    long peers = 0;
    for (Cell cell : cells) {
      for (String form : forms.getOrDefault(cell.params().get("contender"), List.of())) {
        Map<String, String> params = new LinkedHashMap<>(cell.params());
        params.put("contender", form);
        assertThat(asked.contains(cell.benchmark() + params))
            .as(cell.benchmark() + params)
            .isTrue();
        peers++;
      }
    }
    assertThat(peers).isGreaterThan(100);
  }

  @Test
  void missingServerFeatures_areNotMeasured_andTheReasonIsGiven() {
    Plan plan = plan(Scale.QUICK, NOTHING);

    assertThat(plan.cells())
        .noneMatch(c -> c.params().containsValue("extension"))
        .noneMatch(c -> c.params().containsValue("Postgres Pro"))
        .noneMatch(c -> c.params().containsValue("MongoDB"))
        .noneMatch(c -> c.params().containsValue("lz4"));
    assertThat(plan.skipped()).allMatch(s -> !s.reason().isBlank());
  }

  @Test
  void mongodb_isMeasuredOnDocuments_ifAServerIsGiven() {
    Plan with = plan(Scale.STANDARD, ALL);
    Plan without = plan(Scale.STANDARD, NOTHING);

    assertThat(with.cells())
        .filteredOn(c -> c.contender().equals(Names.MONGODB))
        .extracting(Cell::benchmark)
        .containsOnly(
            "KeyAccess.get",
            "Updates.set",
            "Updates.create",
            "Updates.insert",
            "Updates.append",
            "Updates.put",
            "Updates.load",
            "Ycsb.run");
    assertThat(without.cells()).noneMatch(c -> c.contender().equals(Names.MONGODB));
    assertThat(without.skipped())
        .filteredOn(s -> s.reason().equals("no MongoDB server was given"))
        .extracting(Footnote::params)
        .containsAll(
            with.cells().stream()
                .filter(c -> c.contender().equals(Names.MONGODB))
                .map(Cell::params)
                .toList());
  }

  @Test
  void bytea_ofAGigabyte_isNotMeasured() {
    assertThat(plan(Scale.STANDARD, ALL).skipped())
        .anyMatch(s -> s.params().containsValue("1GB") && s.reason().contains("cannot have 1 GB"));
  }

  @Test
  void withoutDurableCommits_readOnlyCells_areNotMeasuredAgain() {
    Plan plan = plan(Scale.STANDARD, new Available(true, false, "FerretDB", true, true, 2, false));

    assertThat(plan.cells())
        .noneMatch(c -> c.benchmark().matches("(KeyAccess|Tables|Compression|Budgets)[.].*"))
        .noneMatch(c -> c.benchmark().matches("Streams[.](read|range)|Updates[.]load"))
        .anyMatch(c -> c.benchmark().equals("Growth.grow") && c.params().containsValue("100B"));
    assertThat(plan.cells().size()).isLessThan(135);
    assertThat(plan.skipped()).anyMatch(s -> s.reason().contains("nothing is committed"));
  }

  @Test
  void standardSet_hasFewerThan360Cells() {
    assertThat(plan(Scale.STANDARD, COMMITTED).cells().size()).isLessThan(360);
  }

  @Test
  void quickSet_hasFewCells() {
    assertThat(plan(Scale.QUICK, NOTHING).cells().size()).isLessThan(70);
  }
}
