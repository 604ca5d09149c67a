package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final Map<String, String> ONE = Map.of("contender", "extension");
  private static final Map<String, String> OTHER = Map.of("contender", "jsonb");

  @TempDir Path directory;

  @Test
  void cellsThatMoved_areListed_theMostFirst() throws Exception {
    Results before =
        new ResultFiles()
            .sure("Ycsb.run", ONE, 100.0)
            .sure("Ycsb.run", OTHER, 100.0)
            .sure("Updates.set", ONE, 100.0)
            .in(directory.resolve("a"));
    Results after =
        new ResultFiles()
            .sure("Ycsb.run", ONE, 105.0)
            .sure("Ycsb.run", OTHER, 150.0)
            .sure("Updates.set", ONE, 25.0)
            .in(directory.resolve("b"));

    String text = Comparison.of(before, after);

    assertThat(text).doesNotContain("only in");
    assertThat(text).startsWith("3 cells in both runs").contains("0.73 x  (geometric mean)");
    assertThat(text.lines().filter(l -> l.contains("->")))
        .satisfiesExactly(
            first -> assertThat(first).contains("0.25 x", "100 µs", "25 µs", "Updates.set"),
            second -> assertThat(second).contains("1.50 x", "Ycsb.run jsonb"));
  }

  @Test
  void whatMovedWithinItsRange_isATie() throws Exception {
    Results before =
        new ResultFiles().add("Ycsb.run", ONE, 1, 80, 100, 120).in(directory.resolve("a"));
    Results after =
        new ResultFiles().add("Ycsb.run", ONE, 1, 119, 130, 140).in(directory.resolve("b"));

    assertThat(Comparison.of(before, after))
        .contains("1 figures moved by more than a tenth within their ranges: ties")
        .doesNotContain("->");
  }

  @Test
  void whatIsInOneRunOnly_orMeasuredElsewhere_isSaid() throws Exception {
    Results before = new ResultFiles().sure("Ycsb.run", ONE, 100.0).in(directory.resolve("a"));
    Results after = new Results(List.of(), Map.of("PostgreSQL", "19.1"), List.of());

    assertThat(Comparison.of(before, after))
        .contains("0 cells in both", "1 cells only in the first, 0 only in the second")
        .containsPattern("PostgreSQL +18.6 <x> -> 19.1");
  }
}
