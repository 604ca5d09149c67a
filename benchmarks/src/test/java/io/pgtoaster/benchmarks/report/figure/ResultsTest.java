package io.pgtoaster.benchmarks.report.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import io.pgtoaster.benchmarks.report.ResultFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final Map<String, String> PARAMS = Map.of("contender", "extension");

  @TempDir Path directory;

  @Test
  void rounds_arePooled_andTheirMedianIsUsed() throws Exception {
    Results results =
        new ResultFiles()
            .add("Streams.read", PARAMS, 1, 10, 900)
            .add("Streams.read", PARAMS, 1, 30, 20, 25)
            .in(directory);

    assertThat(results.figures()).hasSize(1);
    assertThat(results.figures().get(0).value(Metric.TIME)).isEqualTo(25);
  }

  @Test
  void medianOfAnEvenNumber_isBetweenTheTwoInTheMiddle() throws Exception {
    Results results =
        new ResultFiles().add("Streams.read", PARAMS, 1, 10, 20, 40, 900).in(directory);

    assertThat(results.figures().get(0).value(Metric.TIME)).isEqualTo(30);
  }

  @Test
  void ratesOfSeveralConnections_useMeasuredTime_ifKnown() {
    Figure figure =
        new Figure(
            "Streams.read",
            PARAMS,
            4,
            List.of(
                Map.of(
                    "time",
                    List.of(2000.0),
                    "elapsed",
                    List.of(1000.0),
                    "bytes",
                    List.of(1048576.0))));

    assertThat(figure.value(Metric.RATE)).isEqualTo(1000);
    assertThat(figure.value(Metric.MBPS)).isCloseTo(1000, within(1e-6));
  }

  @Test
  void rates_areSumsOverAllThreads() throws Exception {
    Figure figure =
        new ResultFiles().add("Streams.read", PARAMS, 4, 2000).in(directory).figures().get(0);

    assertThat(figure.value(Metric.RATE)).isEqualTo(2000);
    assertThat(figure.value(Metric.MBPS)).isCloseTo(2000, within(1e-6));
    assertThat(figure.value(Metric.PAGES)).isNaN();
  }

  @Test
  void directoryWithoutResults_isReported() {
    assertThatIOException()
        .isThrownBy(() -> Results.read(directory))
        .withMessageContaining("results.json");
  }
}
