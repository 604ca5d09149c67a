package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  @Test
  void beats_areAtLeastTheIntervalApart() {
    AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);
    AtomicInteger done = new AtomicInteger();
    Heartbeat heartbeat = new Heartbeat(time::get, 10, done::incrementAndGet);
    for (int i = 0; i < 35; i++) {
      heartbeat.beat();
      time.incrementAndGet();
    }
    assertThat(done).hasValue(3);
  }
}
