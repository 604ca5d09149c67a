package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardTest {
  private static final List<Guard.Cell> CELLS =
      Guard.parse(
          """
          # a comment
          time | Updates.set | set=actors, key=any | extension | jsonb
          """);

  @TempDir Path directory;
  private Results kept;

  @BeforeEach
  void keep() throws Exception {
    kept = run("kept", 100, 1000);
  }

  private Results run(String name, double ours, double theirs) throws Exception {
    return new ResultFiles()
        .sure("Updates.set", params("extension"), ours)
        .sure("Updates.set", params("jsonb"), theirs)
        .in(directory.resolve(name));
  }

  private static Map<String, String> params(String contender) {
    return Map.of("set", "actors", "key", "any", "contender", contender, "elements", "50");
  }

  @Test
  void aSlowerMachine_movesNoRatio() throws Exception {
    Guard.Verdict verdict = Guard.check(CELLS, kept, run("now", 700, 7000));

    assertThat(verdict.worse()).isFalse();
    assertThat(verdict.text()).isEqualTo("0 of 1 ratios moved by more than 20 %\n");
  }

  @Test
  void aWorseRatio_isTold_andFails() throws Exception {
    Guard.Verdict verdict = Guard.check(CELLS, kept, run("now", 130, 1000));

    assertThat(verdict.worse()).isTrue();
    assertThat(verdict.text()).contains("worse", "Updates.set", "0.130, kept 0.100");
  }

  @Test
  void aWorseRatio_withinTheRanges_isATie() throws Exception {
    Results now =
        new ResultFiles()
            .add("Updates.set", params("extension"), 1, 95, 130, 140)
            .add("Updates.set", params("jsonb"), 1, 999, 1000, 1001)
            .in(directory.resolve("now"));
    Guard.Verdict verdict = Guard.check(CELLS, kept, now);

    assertThat(verdict.worse()).isFalse();
    assertThat(verdict.text()).contains("tie", "0.130, kept 0.100");
  }

  @Test
  void aBetterRatio_isTold_andDoesNotFail() throws Exception {
    Guard.Verdict verdict = Guard.check(CELLS, kept, run("now", 50, 1000));

    assertThat(verdict.worse()).isFalse();
    assertThat(verdict.text()).contains("better");
  }

  @Test
  void aCellThatIsMissing_fails() throws Exception {
    Results empty = new ResultFiles().in(directory.resolve("empty"));

    assertThat(Guard.check(CELLS, kept, empty).worse()).isTrue();
    assertThat(Guard.check(CELLS, kept, empty).text())
        .contains("missing", "0 of 0 ratios moved", "1 are in one of the runs only", "--set guard");
  }

  @Test
  void tenRatios_areLookedAt() {
    assertThat(Guard.cells()).hasSize(20);
  }
}
