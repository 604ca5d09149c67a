package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A request that runs is overtaken only if it stood still for as long as another one waits. */
class TurnsTest {
  private static final UUID UPLOAD = new UUID(1, 2);

  private final Turns turns = new Turns();

  private Thread waiting() throws InterruptedException {
    Thread thread = new Thread(() -> turns.await(UPLOAD));
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    return thread;
  }

  @Test
  void whoWaitsLater_doesNotHideWhatMovedBefore() {
    turns.take(
        UPLOAD,
        running -> {
          try {
            Thread first = waiting();
            running.move();
            Thread.sleep(1000);
            Thread second = waiting();
            first.join();
            assertThatCode(running::move).doesNotThrowAnyException();
            second.join();
            assertThatCode(running::move).doesNotThrowAnyException();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return 0;
        });
  }
}
