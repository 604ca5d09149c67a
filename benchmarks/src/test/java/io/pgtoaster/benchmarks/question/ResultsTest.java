package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultsTest {
  private static final Map<String, String> FACTS =
      Map.of("Set", "standard", "Rounds", "1", "Commit", "abc", "Date", "2026-11-21");
  private static final Cell CELL =
      new Cell("Appends.append", Map.of("contender", "bytea"), 1, 1, 0, 1, 0);

  @TempDir Path directory;

  private static Map<String, String> with(String name, String value) {
    Map<String, String> facts = new HashMap<>(FACTS);
    facts.put(name, value);
    return facts;
  }

  private void measure(Results results) throws Exception {
    results.add(
        new Results.Measurement(
            CELL.benchmark(), CELL.params(), 1, Map.of("time", List.of(1.5, 2.5))));
  }

  @Test
  void sameRun_isContinued() throws Exception {
    measure(Results.open(directory, FACTS));
    Results more = Results.open(directory, with("Rounds", "2"));
    assertThat(more.rounds(CELL)).isEqualTo(1);
    measure(more);
    assertThat(more.rounds(CELL)).isEqualTo(2);
    Results read = Results.read(directory);
    assertThat(read.figures()).hasSize(1);
    assertThat(read.figures().get(0).rounds()).hasSize(2);
    assertThat(read.environment()).containsEntry("Rounds", "2");
  }

  @ParameterizedTest
  @CsvSource({
    "Commit, def, 'Commit was abc, is def'",
    "Set, quick, 'Set was standard, is quick'",
    "Memory, 8 GB, 'Memory was null, is 8 GB'",
    "Commit, 'abc, with changes', not committed",
  })
  void anotherRun_isRefused(String name, String value, String message) throws Exception {
    measure(Results.open(directory, FACTS));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Results.open(directory, with(name, value)))
        .withMessageContaining(message);
  }
}
