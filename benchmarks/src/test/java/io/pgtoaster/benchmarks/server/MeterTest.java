package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeterTest {
  @Test
  void serverThatReportsNoCosts_hasNone() throws Exception {
    Meter.begin(null);
    Counters cost = Meter.end(null);

    assertThat(cost.known()).isFalse();
    assertThat(Meter.take()).isEmpty();
  }

  @Test
  void elapsedTime_isMeasured_whateverTheServerReports() throws Exception {
    Meter.begin(null);
    Meter.endOfAll(null);

    assertThat(Meter.take()).containsOnlyKeys("elapsed");
  }
}
