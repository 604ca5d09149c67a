package io.pgtoaster.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs each measurement once on little data. The times mean nothing. */
@Tag("ci")
class BarsIT {
  private static final List<String> FILES =
      List.of("--build=target", "--extension=../extension/build");

  @ParameterizedTest
  @ValueSource(
      strings = {"million doc-array extension writers --size=100", "huge doc-huge --size=2"})
  void eachMeasurement_readsBackItsContent(String arguments) {
    assertThat(
            Bars.execute(
                Stream.concat(Arrays.stream(arguments.split(" ")), FILES.stream())
                    .toArray(String[]::new)))
        .isZero();
  }
}
