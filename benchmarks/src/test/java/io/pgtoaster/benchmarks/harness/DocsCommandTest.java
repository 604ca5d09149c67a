package io.pgtoaster.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.report.DocsPage;
import io.pgtoaster.benchmarks.report.Once;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.report.Readme;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocsCommandTest {
  /** Tests run in the directory of their module. */
  private static final Path PROJECT = Path.of("..");

  /** Ten minutes of reading, at five words a second; tables are looked up. */
  private static final int MOST_WORDS = 3_000;

  private static final String SET = "benchmarks/results/standard";
  private static final String ASYNC = SET + "-async";

  private static Results results(String set) throws Exception {
    return Results.read(PROJECT.resolve(set));
  }

  /** Not by isEqualTo, which would print both. */
  private static void assertGiven(String file, String given) throws Exception {
    assertThat(Files.readString(PROJECT.resolve(file)).equals(given))
        .as(file + " is what `benchmarks/run docs` writes")
        .isTrue();
  }

  @Test
  void thePageOfTheDocumentation_isWhatTheCommittedResultsGive() throws Exception {
    assertGiven(
        "docs/benchmarks.md",
        DocsPage.of(
            Question.all(),
            results(SET),
            results(ASYNC),
            SET + "` and `" + ASYNC,
            Once.of(PROJECT.resolve("benchmarks/results/once.json"))));
  }

  @Test
  void bothSets_areOfOneCommit_andThreeRounds() throws Exception {
    String commit = results(SET).environment().get("Commit");

    assertThat(commit).doesNotContain(" ");
    assertThat(results(ASYNC).environment()).containsEntry("Commit", commit);
    for (String set : List.of(SET, ASYNC)) {
      assertThat(results(set).figures()).isNotEmpty().allMatch(f -> f.rounds().size() == 3);
    }
  }

  @Test
  void thePicture_isWhatTheCommittedResultsGive() throws Exception {
    assertGiven("docs/" + DocsCommand.PICTURE, Readme.picture(results(SET)));
  }

  @Test
  void whatReadmeShows_isWhatTheCommittedResultsGive() throws Exception {
    String text = Files.readString(PROJECT.resolve("README.md"));

    assertGiven("README.md", Readme.of(text, results(SET)));
    assertThat(text).contains("](docs/" + DocsCommand.PICTURE + ")");
  }

  @Test
  void thePage_isReadInTenMinutes() throws Exception {
    assertThat(
            Files.readAllLines(PROJECT.resolve("docs/benchmarks.md")).stream()
                .filter(line -> !line.startsWith("|"))
                .flatMap(line -> Stream.of(line.split(" ")))
                .filter(word -> !word.isEmpty())
                .count())
        .isLessThan(MOST_WORDS);
  }
}
