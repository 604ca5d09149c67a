package io.pgtoaster.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.spi.AppendRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AppendCombinerTest {
  private static final RowKey ROW = new RowKey(List.of("1"));

  private final AppendCombiner combiner = new AppendCombiner();
  private final List<String> sent = new ArrayList<>();
  private final ByteArrayOutputStream blob = new ByteArrayOutputStream();
  private final CountDownLatch opened = new CountDownLatch(1);
  private UnaryOperator<String> server = text -> text;

  private record Started(Thread thread, FutureTask<AppendResult> task) {
    AppendResult result() throws Exception {
      try {
        return task.get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw (Error) e.getCause();
      }
    }

    void awaitWaiting() {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
  }

  private AppendResult send(AppendRequest request) {
    String text =
        server.apply(
            new String(
                request.array(), request.from(), request.count(), StandardCharsets.US_ASCII));
    synchronized (this) {
      sent.add(text);
      AppendResult result = new AppendResult(blob.size(), request.count(), false);
      blob.write(request.array(), request.from(), request.count());
      return result;
    }
  }

  private static AppendRequest request(String text) {
    byte[] bytes = ("#" + text + "#").getBytes(StandardCharsets.US_ASCII);
    return new AppendRequest(bytes, 1, bytes.length - 2, null, null, null);
  }

  private Started start(String text, Function<AppendRequest, AppendResult> append) {
    FutureTask<AppendResult> task =
        new FutureTask<>(() -> combiner.append(ROW, request(text), append));
    Thread thread = new Thread(task);
    thread.start();
    Started started = new Started(thread, task);
    started.awaitWaiting();
    return started;
  }

  /** Starts an append that continues when the test opens the latch. */
  private Started first() {
    return start(
        "first",
        request -> {
          try {
            opened.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return send(request);
        });
  }

  private Started waiting(String text) {
    return start(text, this::send);
  }

  @Test
  void singleAppend_isSentImmediately() {
    assertThat(combiner.append(ROW, request("a"), this::send))
        .isEqualTo(new AppendResult(0, 1, false));
    assertThat(combiner.append(ROW, request("bc"), this::send))
        .isEqualTo(new AppendResult(1, 2, false));
    assertThat(sent).containsExactly("a", "bc");
  }

  @Test
  void waitingAppends_areSentAsOne() throws Exception {
    Started first = first();
    Started one = waiting("one");
    Started none = waiting("");
    Started two = waiting("second");
    assertThat(combiner.append(new RowKey(List.of("2")), request("other"), r -> result(r, 7)))
        .isEqualTo(new AppendResult(7, 5, false));
    opened.countDown();
    assertThat(first.result()).isEqualTo(new AppendResult(0, 5, false));
    assertThat(one.result()).isEqualTo(new AppendResult(5, 3, false));
    assertThat(none.result()).isEqualTo(new AppendResult(8, 0, false));
    assertThat(two.result()).isEqualTo(new AppendResult(8, 6, false));
    assertThat(sent).containsExactly("first", "onesecond");
  }

  private static AppendResult result(AppendRequest request, long offset) {
    return new AppendResult(offset, request.count(), false);
  }

  @Test
  void failure_affectsOnlyTheAppendThatFailsByItself() throws Exception {
    server =
        text -> {
          if (text.contains("bad")) {
            throw new BlobSealedException("sealed");
          }
          return text;
        };
    Started first = first();
    Started one = waiting("one");
    Started bad = waiting("bad");
    Started two = waiting("two");
    opened.countDown();
    first.result();
    assertThat(one.result().length()).isEqualTo(3);
    assertThatThrownBy(bad::result).isInstanceOf(BlobSealedException.class);
    assertThat(two.result().length()).isEqualTo(3);
    assertThat(sent).containsExactlyInAnyOrder("first", "one", "two");
  }

  @Test
  void unknownOutcome_isReportedToEachCaller_andNothingIsResent() throws Exception {
    List<String> tried = new ArrayList<>();
    Exception broken = new IllegalArgumentException();
    server =
        text -> {
          if (!text.equals("first")) {
            tried.add(text);
            throw new OutcomeUnknownException("broken", broken);
          }
          return text;
        };
    Started first = first();
    Started one = waiting("one");
    Started two = waiting("two");
    opened.countDown();
    first.result();
    List<Throwable> thrown = new ArrayList<>();
    for (Started each : List.of(one, two)) {
      assertThatThrownBy(each::result)
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessage("broken")
          .hasCause(broken)
          .satisfies(thrown::add);
    }
    assertThat(thrown.get(0)).isNotSameAs(thrown.get(1));
    assertThat(tried).containsExactly("onetwo");
  }

  @Test
  void error_isReportedToItsSender_andTheOthersHaveAnUnknownOutcome() throws Exception {
    server =
        text -> {
          if (text.equals("onetwo")) {
            throw new StackOverflowError();
          }
          return text;
        };
    Started first = first();
    Started one = waiting("one");
    Started two = waiting("two");
    opened.countDown();
    first.result();
    assertThatThrownBy(one::result).isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(two::result)
        .isInstanceOf(OutcomeUnknownException.class)
        .hasCauseInstanceOf(StackOverflowError.class);
    assertThat(combiner.append(ROW, request("after"), this::send).offset()).isEqualTo(5);
  }

  @Test
  void failureOfTheFirst_affectsOnlyTheFirst() throws Exception {
    server =
        text -> {
          if (text.equals("first")) {
            throw new OutcomeUnknownException("broken");
          }
          return text;
        };
    Started first = first();
    Started one = waiting("one");
    opened.countDown();
    assertThatThrownBy(first::result).isInstanceOf(OutcomeUnknownException.class);
    assertThat(one.result()).isEqualTo(new AppendResult(0, 3, false));
  }

  @Test
  void interrupt_doesNotEndTheWait_andIsNotLost() throws Exception {
    Started first = first();
    AtomicBoolean kept = new AtomicBoolean();
    FutureTask<AppendResult> task =
        new FutureTask<>(
            () -> {
              AppendResult result = combiner.append(ROW, request("one"), this::send);
              kept.set(Thread.currentThread().isInterrupted());
              return result;
            });
    Thread thread = new Thread(task);
    thread.start();
    Started one = new Started(thread, task);
    one.awaitWaiting();
    Started two = waiting("two");
    thread.interrupt();
    Started three = waiting("three");
    opened.countDown();
    first.result();
    assertThat(one.result()).isEqualTo(new AppendResult(5, 3, false));
    assertThat(two.result().offset()).isEqualTo(8);
    assertThat(three.result().offset()).isEqualTo(11);
    assertThat(kept).isTrue();
    // An interrupted thread does not send other threads' bytes.
    assertThat(sent).containsExactly("first", "one", "twothree");
  }

  @Test
  void combinedAppend_hasALimitedSize() throws Exception {
    String large = "x".repeat(AppendCombiner.MAX_BYTES / 2);
    Started first = first();
    List<Started> waiting = new ArrayList<>();
    for (String text : List.of(large, large, "small", large)) {
      waiting.add(waiting(text));
    }
    opened.countDown();
    first.result();
    for (Started each : waiting) {
      each.result();
    }
    assertThat(sent.stream().map(String::length))
        .containsExactly(5, AppendCombiner.MAX_BYTES, 5 + large.length());
  }

  @Test
  void manyThreads_findTheirOwnBytes() throws Exception {
    manyThreads(Thread::new);
  }

  @Test
  void manyVirtualThreads_findTheirOwnBytes() throws Exception {
    if (Runtime.version().feature() >= 21) {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      var unstarted =
          Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
      manyThreads(
          work -> {
            try {
              return (Thread) unstarted.invoke(builder, work);
            } catch (ReflectiveOperationException e) {
              throw new LinkageError(e.getMessage(), e);
            }
          });
    }
  }

  private void manyThreads(Function<Runnable, Thread> threads) throws Exception {
    int each = 500;
    List<FutureTask<List<String>>> tasks = new ArrayList<>();
    for (int t = 0; t < 32; t++) {
      int thread = t;
      FutureTask<List<String>> task =
          new FutureTask<>(
              () ->
                  IntStream.range(0, each)
                      .mapToObj(
                          i -> {
                            String text = thread + " " + i + ";";
                            long offset = combiner.append(ROW, request(text), this::send).offset();
                            return offset + ":" + text;
                          })
                      .toList());
      tasks.add(task);
      threads.apply(task).start();
    }
    List<String> offsets = new ArrayList<>();
    for (FutureTask<List<String>> task : tasks) {
      offsets.addAll(task.get(50, TimeUnit.SECONDS));
    }
    String content = blob.toString(StandardCharsets.US_ASCII);
    int bytes = 0;
    for (String append : offsets) {
      int colon = append.indexOf(':');
      String text = append.substring(colon + 1);
      assertThat(content.startsWith(text, Integer.parseInt(append.substring(0, colon))))
          .as(append)
          .isTrue();
      bytes += text.length();
    }
    assertThat(content).hasSize(bytes);
  }
}
