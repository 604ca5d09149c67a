package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The chosen settings cover every pair, and are the same each time. */
class SettingsPlanIT {
  private static final List<Integer> VERSIONS = List.of(15, 16, 17, 18, 19);
  private static final List<Boolean> EXECUTORS = List.of(false, true);
  private static final List<Suite> SUITES = Suite.all();

  private static Plan plan(Breadth breadth) {
    return Plan.of(breadth, VERSIONS, EXECUTORS, SUITES);
  }

  @Test
  void pairs_areComplete_andPrinted() {
    Plan plan = plan(Breadth.PAIRS);
    System.out.printf(
        "%d pairs in %d of %d cells:%n%s%n",
        plan.possible().size(),
        plan.cells().size(),
        plan(Breadth.ALL).cells().size(),
        plan.cells().stream().map(Plan.Cell::toString).collect(Collectors.joining("\n")));
    assertThat(plan.missing()).isEmpty();
    assertThat(plan.possible())
        .contains(
            "TokenContract x PostgreSQL 16, extension",
            "DocumentEditContract x the caller's connection",
            "ReadContract x TENANT",
            "appendable bigint {\"crc32c\": true} x extension");
  }

  @Test
  void uncoveredPairs_areMissing() {
    assertThat(plan(Breadth.NEWEST).missing())
        .contains("ReadContract x PostgreSQL 17, plain SQL", "TENANT x extension")
        .doesNotContain("ReadContract x PostgreSQL 19, plain SQL");
  }

  @Test
  void pairs_areChosenDeterministically() {
    assertThat(plan(Breadth.PAIRS).cells()).isEqualTo(plan(Breadth.PAIRS).cells());
  }

  @Test
  void parts_coverAllPairsTogether() {
    Plan pairs = plan(Breadth.PAIRS);
    List<Plan> parts = IntStream.rangeClosed(1, Plan.PARTS).mapToObj(pairs::part).toList();
    assertThat(parts.stream().flatMap(part -> part.cells().stream()).collect(Collectors.toSet()))
        .containsAll(pairs.cells());
    assertThat(parts)
        .allSatisfy(part -> assertThat(part.cells()).hasSizeLessThan(pairs.cells().size() * 2 / 3));
  }

  @Test
  void eachPart_hasEachContractOnTheNewestVersion_andThoseOfStoresOnTheOldest() {
    Plan pairs = plan(Breadth.PAIRS);
    for (int part = 1; part <= Plan.PARTS; part++) {
      List<Plan.Cell> cells = pairs.part(part).cells();
      assertThat(contracts(suites(cells, 19))).containsAll(contracts(suites(pairs.cells(), 19)));
      assertThat(contracts(suites(cells, 15)))
          .containsAll(
              contracts(suites(pairs.cells(), 15).filter(suite -> suite.column().hasStore())));
    }
  }

  @Test
  void settingsOfOtherTests_takeTurns() {
    List<Integer> settings = List.of(15, 18, 19);
    assertThat(Plan.inTurn(settings, 0)).isEqualTo(settings);
    assertThat(
            IntStream.rangeClosed(1, Plan.PARTS)
                .boxed()
                .flatMap(part -> Plan.inTurn(settings, part).stream()))
        .containsExactly(15, 18, 19, 15, 18, 19);
  }

  private static Stream<Suite> suites(List<Plan.Cell> cells, int version) {
    return cells.stream().filter(c -> c.setting().version() == version).map(Plan.Cell::suite);
  }

  @Test
  void newestVersion_runsEachContractOnEachToasterInPlainSql() {
    Plan plan = Plan.of(Breadth.NEWEST, List.of(18), List.of(false), SUITES);
    assertThat(plan.cells()).noneMatch(cell -> cell.setting().extension()).hasSizeBetween(5, 20);
    assertThat(contractsOn(plan.cells().stream().map(Plan.Cell::suite)))
        .isEqualTo(contractsOn(SUITES.stream()));
  }

  private static Set<String> contracts(Stream<Suite> suites) {
    return suites.flatMap(s -> s.contracts().stream()).collect(Collectors.toSet());
  }

  private static Set<String> contractsOn(Stream<Suite> suites) {
    return suites
        .flatMap(s -> s.contracts().stream().map(c -> c + " on " + s.column().toaster()))
        .collect(Collectors.toSet());
  }

  @Test
  void allSettings_areTheCartesianProduct() {
    Map<String, Long> cells =
        plan(Breadth.ALL).cells().stream()
            .collect(Collectors.groupingBy(c -> c.suite().toString(), Collectors.counting()));
    assertThat(cells)
        .containsEntry("AppendableIT", 5 * 2 * 2L)
        .containsEntry("AppendableLz4IT", 2 * 2L)
        .containsEntry("DefaultByteaIT", 5 * 2L)
        .containsEntry("ToyToasterIT", 1L);
    assertThat(plan(Breadth.ALL).missing()).isEmpty();
  }
}
