package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A running request is replaced only if it stalls for as long as another one waits. */
@Timeout(120)
class UploadQueueTest {
  private static final UUID UPLOAD = new UUID(1, 2);

  /** One latch per waiting request, in order. Counting it down ends the wait. */
  private final BlockingQueue<CountDownLatch> patience = new LinkedBlockingQueue<>();

  private final UploadQueue queue =
      new UploadQueue(
          end -> {
            CountDownLatch lost = new CountDownLatch(1);
            patience.add(lost);
            lost.await();
            return end.getCount() == 0;
          });

  /** A waiting request. */
  private final class Waiting {
    private final Thread thread = new Thread(() -> queue.await(UPLOAD, () -> {}));
    private final CountDownLatch lost;

    Waiting() throws InterruptedException {
      thread.start();
      lost = patience.take();
    }

    void losesPatience() throws InterruptedException {
      lost.countDown();
      thread.join();
    }
  }

  /** The work of a request. */
  private interface Work {
    void of(UploadQueue.Turn running) throws InterruptedException;
  }

  private void run(Work work) {
    queue.take(
        UPLOAD,
        () -> {},
        running -> {
          try {
            work.of(running);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return 0;
        });
  }

  @Test
  void laterWaiter_doesNotHideEarlierProgress() {
    run(
        running -> {
          Waiting first = new Waiting();
          running.move();
          Waiting second = new Waiting();
          first.losesPatience();
          assertThatCode(running::move).doesNotThrowAnyException();
          second.losesPatience();
          assertThatCode(running::move).doesNotThrowAnyException();
        });
  }

  @Test
  void stalledUpload_isOvertakenByAWaitingOne() {
    run(
        running -> {
          running.move();
          new Waiting().losesPatience();
          assertThatExceptionOfType(TusException.class).isThrownBy(running::move);
        });
  }

  @Test
  void unpermittedRequest_doesNotWait() {
    run(
        running -> {
          TusException refused = new TusException(403, "");
          assertThatExceptionOfType(TusException.class)
              .isThrownBy(
                  () ->
                      queue.await(
                          UPLOAD,
                          () -> {
                            throw refused;
                          }))
              .isSameAs(refused);
          assertThatCode(running::move).doesNotThrowAnyException();
        });
    assertThat(patience).isEmpty();
  }
}
