package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

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
            .add("Ycsb.run", ONE, 1, 100.0)
            .add("Ycsb.run", OTHER, 1, 100.0)
            .add("Updates.set", ONE, 1, 100.0)
            .in(directory.resolve("a"));
    Results after =
        new ResultFiles()
            .add("Ycsb.run", ONE, 1, 105.0)
            .add("Ycsb.run", OTHER, 1, 150.0)
            .add("Updates.set", ONE, 1, 25.0)
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
  void whatIsInOneRunOnly_orMeasuredElsewhere_isSaid() throws Exception {
    Results before = new ResultFiles().add("Ycsb.run", ONE, 1, 100.0).in(directory.resolve("a"));
    Results after = new Results(List.of(), Map.of("PostgreSQL", "19.1"), List.of());

    assertThat(Comparison.of(before, after))
        .contains("0 cells in both", "1 cells only in the first, 0 only in the second")
        .containsPattern("PostgreSQL +18.6 <x> -> 19.1");
  }
}
