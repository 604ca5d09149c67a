package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.question.Figure.Metric;
import io.pgtoaster.benchmarks.question.Question.Column;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocsCommandTest {
  /** The working directory of tests is their module. */
  private static final Path PROJECT = Path.of("..");

  private static final long MOST_BYTES = 8_192;

  private static final String SET = "benchmarks/results/standard";
  private static final String ASYNC = SET + "-async";

  private static Results results(String set) throws Exception {
    return Results.read(PROJECT.resolve(set));
  }

  /** Does not use isEqualTo, which would print both pages. */
  private static void assertGiven(String file, String given) throws Exception {
    assertThat(Files.readString(PROJECT.resolve(file)).equals(given))
        .as(file + " is what `benchmarks/run docs` writes")
        .isTrue();
  }

  @Test
  void documentationPage_matchesTheCommittedResults() throws Exception {
    assertGiven("docs/benchmarks.md", Page.of(results(SET), results(ASYNC)));
  }

  @Test
  void bothSets_haveTheSameCommit_andThreeRounds() throws Exception {
    String commit = results(SET).environment().get("Commit");

    assertThat(commit).doesNotContain(" ");
    assertThat(results(ASYNC).environment()).containsEntry("Commit", commit);
    for (String set : List.of(SET, ASYNC)) {
      assertThat(results(set).figures()).isNotEmpty().allMatch(f -> f.rounds().size() == 3);
    }
  }

  @Test
  void readme_matchesTheCommittedResults() throws Exception {
    assertGiven(
        "README.md", Page.readme(Files.readString(PROJECT.resolve("README.md")), results(SET)));
  }

  @Test
  void picture_showsTheCommittedResults() throws Exception {
    Map<String, String> cell = Map.of("size", "100MiB", "piece", "1B");
    Map<String, Figure> log = new Column("", "Appends.append", Metric.WAL, cell).of(results(SET));
    String picture = Files.readString(PROJECT.resolve("docs/append-log.svg"));

    assertThat(log).hasSize(4);
    log.values().forEach(f -> assertThat(picture).contains(Metric.WAL.text(f.value(Metric.WAL))));
  }

  @Test
  void page_isShort() {
    assertThat(PROJECT.resolve("docs/benchmarks.md").toFile().length()).isLessThan(MOST_BYTES);
  }
}
