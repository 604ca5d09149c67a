package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgtoaster.benchmarks.question.Figure.Metric;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {
  private static Map<String, List<Double>> round(Double... micros) {
    return Map.of("time", List.of(micros), "bytes", List.of(1_000_000.0));
  }

  private static Figure figure(int threads, List<Map<String, List<Double>>> rounds) {
    return new Figure("Streams.read", Map.of(), threads, rounds);
  }

  @Test
  void medianOfAllRounds_isUsed() {
    assertThat(figure(1, List.of(round(10.0, 900.0), round(30.0, 20.0, 25.0))).value(Metric.TIME))
        .isEqualTo(25);
    assertThat(figure(1, List.of(round(10.0, 20.0, 40.0, 900.0))).value(Metric.TIME)).isEqualTo(30);
  }

  @Test
  void rates_areSumsOverAllThreads_orUseTheClock() {
    Map<String, List<Double>> clocked =
        Map.of("time", List.of(9.0), "elapsed", List.of(1000.0), "bytes", List.of(1_000_000.0));
    assertThat(figure(4, List.of(round(2000.0))).value(Metric.RATE)).isEqualTo(2000);
    assertThat(figure(4, List.of(round(2000.0))).value(Metric.MBPS)).isCloseTo(2000, within(1e-6));
    assertThat(figure(4, List.of(clocked)).value(Metric.RATE)).isEqualTo(1000);
    assertThat(figure(4, List.of(clocked)).value(Metric.WAL)).isNaN();
  }

  @Test
  void figure_isBetter_onlyBeyondTheRangesOfTheRounds() {
    Figure fast = figure(1, List.of(round(10.0), round(12.0), round(11.0)));
    assertThat(fast.beats(figure(1, List.of(round(13.0), round(14.0))), Metric.TIME)).isTrue();
    assertThat(fast.beats(figure(1, List.of(round(20.0), round(12.0))), Metric.TIME)).isFalse();
    assertThat(fast.beats(figure(1, List.of(round(20.0))), Metric.TIME))
        .as("measured once")
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.1234 | TIME | 0.123 µs",
        "1382000 | TIME | 1.38 s",
        "8260 | WAL | 8,260 B",
        "12345 | WAL | 12.3 kB",
        "109000000 | WAL | 109 MB",
        "30064 | RATE | 30,064 /s",
        "1.017 | DISK_RATIO | 1.02 ×",
      })
  void numbers_areWrittenWithThreeDigits(double value, Metric metric, String expected) {
    assertThat(metric.text(value)).isEqualTo(expected);
  }
}
