package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class CountersTest {
  @Test
  void iterationThatReadNoPage_fails() {
    Counters before = new Counters(100, 7);

    assertThatIllegalStateException()
        .isThrownBy(() -> new Counters(200, 7).minus(before).measured())
        .withMessageContaining("nothing was measured");
    assertThat(new Counters(200, 8).minus(before).measured()).isEqualTo(new Counters(100, 1));
  }
}
