package io.pgtoaster.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.report.DocsPage;
import io.pgtoaster.benchmarks.report.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocsCommandTest {
  /** Tests run in the directory of their module. */
  private static final Path PROJECT = Path.of("..");

  private static final String SET = "benchmarks/results/standard";
  private static final String ASYNC = SET + "-async";

  @Test
  void thePageOfTheDocumentation_isWhatTheCommittedResultsGive() throws Exception {
    String page =
        DocsPage.of(
            Sections.all(),
            Results.read(PROJECT.resolve(SET)),
            Results.read(PROJECT.resolve(ASYNC)),
            SET + "` and `" + ASYNC);

    // Not by isEqualTo, which would print both.
    assertThat(Files.readString(PROJECT.resolve("docs/benchmarks.md")).equals(page))
        .as("docs/benchmarks.md is what `benchmarks/run docs` writes")
        .isTrue();
  }
}
