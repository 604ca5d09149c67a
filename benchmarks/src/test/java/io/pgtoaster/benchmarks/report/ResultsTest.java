package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final Map<String, String> PARAMS = Map.of("contender", "extension");

  @TempDir Path directory;

  @Test
  void rounds_arePooled_andTheirMedianCounts() throws Exception {
    Results results =
        new ResultFiles()
            .add("Streams.read", PARAMS, 1, 10, 900)
            .add("Streams.read", PARAMS, 1, 30, 20, 25)
            .in(directory);

    assertThat(results.figures()).hasSize(1);
    assertThat(results.figures().get(0).value(Metric.TIME)).isEqualTo(25);
    assertThat(results.figures().get(0).spread()).isEqualTo(875 / 25.0);
  }

  @Test
  void rates_areThoseOfAllThreads() throws Exception {
    Figure figure =
        new ResultFiles().add("Streams.read", PARAMS, 4, 2000).in(directory).figures().get(0);

    assertThat(figure.value(Metric.RATE)).isEqualTo(2000);
    assertThat(figure.value(Metric.MBPS)).isCloseTo(2000, within(1e-6));
    assertThat(figure.value(Metric.PAGES)).isNaN();
  }

  @Test
  void aDirectoryWithoutResults_isNamed() {
    assertThatIOException()
        .isThrownBy(() -> Results.read(directory))
        .withMessageContaining("results.json");
  }
}
