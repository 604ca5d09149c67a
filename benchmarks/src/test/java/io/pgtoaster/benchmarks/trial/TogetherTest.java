package io.pgtoaster.benchmarks.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TogetherTest {
  private static final int THREADS = 4;

  private final Together together = new Together();
  private final AtomicInteger runs = new AtomicInteger();

  /** Calls the step the given number of times in each thread. */
  private List<Future<Integer>> call(int times, Together.Step step) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      results.add(
          threads.submit(
              () -> {
                for (int n = 0; n < times; n++) {
                  together.once(THREADS, step);
                }
                return runs.get();
              }));
    }
    threads.shutdown();
    return results;
  }

  @Test
  void step_runsOnce_beforeAnyThreadContinues() throws Exception {
    for (Future<Integer> seen : call(10, runs::incrementAndGet)) {
      assertThat(seen.get()).isEqualTo(10);
    }
    assertThat(runs).hasValue(10);
  }

  @Test
  void failure_isReportedToEachThread() throws Exception {
    List<Future<Integer>> results =
        call(
            1,
            () -> {
              throw new IllegalStateException("no server");
            });
    for (Future<Integer> result : results) {
      assertThatThrownBy(result::get).hasRootCauseMessage("no server");
    }
  }

  @Test
  void singleThread_runsItImmediately() throws Exception {
    together.once(1, runs::incrementAndGet);

    assertThat(runs).hasValue(1);
  }
}
