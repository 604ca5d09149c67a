package io.pgtoaster.benchmarks.report.figure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0.1234    | MICROS | 0.123 µs
          12.34     | MICROS | 12.3 µs
          1382000   | MICROS | 1.38 s
          143       | BYTES  | 143 B
          8260      | BYTES  | 8,260 B
          12345     | BYTES  | 12.3 kB
          999600    | BYTES  | 1.00 MB
          109000000 | BYTES  | 109 MB
          30064     | COUNT  | 30,064
          1.017     | TIMES  | 1.02 ×
          NaN       | COUNT  | ''
          """)
  void numbers_areWrittenWithThreeDigits(double value, Metric.Unit unit, String expected) {
    assertThat(NumberText.of(value, unit)).isEqualTo(expected);
  }
}
