package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PulseTest {
  @Test
  void beats_areAtLeastTheIntervalApart() {
    AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);
    AtomicInteger done = new AtomicInteger();
    Pulse pulse = new Pulse(time::get, 10, done::incrementAndGet);
    for (int i = 0; i < 35; i++) {
      pulse.beat();
      time.incrementAndGet();
    }
    assertThat(done).hasValue(3);
  }
}
