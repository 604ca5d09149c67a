package io.pgtoaster.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.benchmarks.report.figure.Results;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultDirectoryTest {
  private static final Map<String, String> FACTS =
      Map.of("Set", "standard", "Rounds", "1", "Commit", "abc", "Date", "2026-11-21");
  private static final Cell MEASURED = cell("chunk tables");
  private static final Cell FAILED = cell("bytea");

  @TempDir Path directory;

  private static Cell cell(String contender) {
    return new Cell(
        "Appends.append", Map.of("size", "1KB", "contender", contender), new Batch(1, 1, 0, 1, 0));
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> facts = new LinkedHashMap<>(FACTS);
    facts.put(name, value);
    return facts;
  }

  /** Writes the results of a run that was aborted after two cells, of which one failed. */
  private void brokenOff() throws Exception {
    ResultDirectory left = new ResultDirectory(directory, FACTS);
    left.footnote("Appends.append", Map.of("contender", "bytea"), "a bytea cannot have 1 GB");
    left.footnote(FAILED.benchmark(), FAILED.params(), "FAILED");
    Files.writeString(
        directory.resolve(Results.RESULTS),
        """
        [{"benchmark": "Appends.append", "threads": 1,
          "params": {"contender": "chunk tables", "size": "1KB"}, "samples": {"time": [1.5]}}]
        """);
  }

  @Test
  void results_areKeptAndCounted_andFailures_areRetried() throws Exception {
    brokenOff();

    ResultDirectory further = ResultDirectory.append(directory, with("Rounds", "3"));

    assertThat(further.rounds(MEASURED)).isEqualTo(1);
    assertThat(further.rounds(FAILED)).isZero();
    Results results = Results.read(directory);
    assertThat(results.figures()).hasSize(1);
    assertThat(results.environment())
        .containsEntry("Rounds", "3")
        .containsEntry("Date", "2026-11-21");
    assertThat(results.footnotes())
        .extracting(f -> f.reason())
        .containsExactly("a bytea cannot have 1 GB");
  }

  @Test
  void reason_isRecordedOnce_forAnyNumberOfRounds() throws Exception {
    brokenOff();

    ResultDirectory.append(directory, FACTS)
        .footnote("Appends.append", Map.of("contender", "bytea"), "a bytea cannot have 1 GB");

    assertThat(Results.read(directory).footnotes()).hasSize(1);
  }

  @Test
  void resultsOfAnotherCommitMachineOrSetting_areNotExtended() throws Exception {
    brokenOff();
    String before = Files.readString(directory.resolve(Results.RESULTS));

    assertThatThrownBy(() -> ResultDirectory.append(directory, with("Commit", "def")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Commit was abc, is def");
    assertThatThrownBy(() -> ResultDirectory.append(directory, with("Memory", "8 GB")))
        .hasMessageContaining("Memory");
    assertThatThrownBy(() -> ResultDirectory.append(directory, with("Commit", "abc, with changes")))
        .hasMessageContaining("not committed");
    assertThat(directory.resolve(Results.RESULTS)).hasContent(before);
  }

  @Test
  void runContinuedOnALaterDay_isTheSameRun() {
    assertThat(ResultDirectory.difference(FACTS, with("Date", "2026-11-23"))).isEmpty();
  }

  @Test
  void directoryWithoutResults_startsANewRun() throws Exception {
    assertThat(ResultDirectory.append(directory, FACTS).rounds(MEASURED)).isZero();
    assertThat(Results.read(directory).environment()).isEqualTo(FACTS);
  }
}
