package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Wait;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** If several threads append to one blob through one handle, their appends are sent as one. */
public interface CombiningContract extends Contract {
  /** An append in a separate thread. */
  final class Caller {
    final byte[] bytes;
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final Future<AppendResult> result;

    Caller(BlobColumn blobs, Object key, byte[] bytes) {
      this.bytes = bytes;
      this.result =
          Wait.start(
              () -> {
                thread.set(Thread.currentThread());
                try {
                  AppendResult appended = blobs.append(key, bytes);
                  Arrays.fill(bytes, (byte) 0);
                  return appended;
                } finally {
                  thread.set(null);
                }
              });
    }

    /** Waits until the thread waits for another thread rather than for the server. */
    Caller awaitQueued() {
      Wait.until(
          "the append waits for another",
          () -> {
            Thread running = thread.get();
            return running != null && running.getState() == Thread.State.WAITING;
          });
      return this;
    }

    public AppendResult get() throws Exception {
      return Wait.get(result);
    }

    public Throwable failure() {
      return catchThrowable(this::get);
    }
  }

  /** Starts appends that wait for each other while a transaction locks their blob. */
  default List<Caller> queued(BlobColumn blobs, Object key, int... sizes) {
    List<Caller> callers = new ArrayList<>();
    for (int size : sizes) {
      Caller caller = new Caller(blobs, key, fx().content(callers.size() + 10, size));
      callers.add(caller);
      if (callers.size() == 1 || fx().spec().isText()) {
        fx().database().awaitLockWaiters(callers.size());
      } else {
        caller.awaitQueued();
      }
    }
    return callers;
  }

  private Connection locked(Object key) throws Exception {
    Connection connection = fx().begin();
    fx().on(connection).append(key, fx().content(1, 10));
    return connection;
  }

  @Test
  default void waitingAppends_areCombined_andEachFindsItsOwnBytes() throws Exception {
    Object key = fx().row(fx().content(2, 50));
    Connection connection = locked(key);
    int[] sizes = {10, 100, 0, 70_000, 3, 1_012, 8_100, 100, 100_000, 100_000, 7};
    List<Caller> callers = queued(fx().own(), key, sizes);
    if (!fx().spec().isText()) {
      assertThat(fx().pool().getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
    }
    connection.commit();
    List<AppendResult> results = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      AppendResult result = callers.get(i).get();
      assertThat(result.length()).isEqualTo(sizes[i]);
      assertThat(fx().own().read(key, result.offset(), sizes[i]))
          .isEqualTo(fx().content(i + 10, sizes[i]));
      results.add(result);
    }
    results.sort(Comparator.comparingLong(AppendResult::offset).thenComparing(AppendResult::end));
    long end = 60;
    for (AppendResult result : results) {
      assertThat(result.offset()).isEqualTo(end);
      end = result.end();
    }
    assertThat(fx().own().length(key)).isEqualTo(end);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void interruptOfAWaitingAppend_losesNothing() throws Exception {
    Object key = fx().row(fx().content(2, 50));
    Connection connection = locked(key);
    List<Caller> callers = queued(fx().own(), key, 10, 20, 30, 40);
    Thread interrupted = callers.get(2).thread.get();
    interrupted.interrupt();
    connection.commit();
    long sum = 60;
    for (Caller caller : callers) {
      sum += caller.get().length();
    }
    assertThat(fx().own().length(key)).isEqualTo(sum).isEqualTo(160);
  }

  @Test
  default void appends_toAMissingRow_allFail() throws Exception {
    Object key = fx().unknownKey();
    for (int round = 0; round < 10; round++) {
      List<Caller> callers = new ArrayList<>();
      for (int size = 0; size < 8; size++) {
        callers.add(new Caller(fx().own(), key, fx().content(1, size)));
      }
      Set<Throwable> failures = new HashSet<>();
      for (Caller caller : callers) {
        Throwable failure = caller.failure();
        assertThat(failure)
            .isInstanceOf(RowNotFoundException.class)
            .hasMessageContaining("length " + caller.bytes.length);
        failures.add(failure);
      }
      assertThat(failures).hasSameSizeAs(callers);
    }
  }

  @Test
  default void dataSourceClosedWhileAppendsWait_failsEachOfThem() throws Exception {
    Object key = fx().row(fx().content(2, 50));
    Connection connection = locked(key);
    HikariDataSource pool = fx().database().pool(20);
    List<Caller> callers =
        queued(PgToaster.create(pool).blobs(Fixture.TABLE, Fixture.COLUMN), key, 10, 20, 30);
    pool.close();
    assertThat(callers.get(0).failure()).isInstanceOf(OutcomeUnknownException.class);
    for (Caller caller : callers.subList(1, fx().spec().isText() ? 1 : 3)) {
      assertThat(caller.failure()).isInstanceOf(ConnectionUnavailableException.class);
    }
    connection.rollback();
    // The server may still execute an append that waits there.
    assertThat(fx().own().length(key) - 50)
        .isIn(fx().spec().isText() ? List.of(0L, 10L, 20L, 30L, 40L, 50L, 60L) : List.of(0L, 10L));
  }

  @Test
  default void append_withItsOwnConnection_isNotCombined() throws Exception {
    Object key = fx().row(fx().content(2, 50));
    Connection connection = locked(key);
    Caller first = new Caller(fx().own(), key, fx().content(3, 10));
    fx().database().awaitLockWaiters(1);
    Caller large = new Caller(fx().own(), key, fx().content(4, 300_000));
    fx().database().awaitLockWaiters(2);
    BlobColumn inThread =
        PgToaster.create(fx().pool()).inCallersThread().blobs(Fixture.TABLE, Fixture.COLUMN);
    Caller one = new Caller(inThread, key, fx().content(5, 20));
    Caller two = new Caller(inThread, key, fx().content(6, 20));
    fx().database().awaitLockWaiters(4);
    Thread test = Thread.currentThread();
    BlobColumn joining =
        PgToaster.create(fx().pool(), () -> Thread.currentThread().equals(test) ? connection : null)
            .blobs(Fixture.TABLE, Fixture.COLUMN);
    Caller own = new Caller(joining, key, fx().content(7, 30));
    fx().database().awaitLockWaiters(5);
    assertThat(joining.append(key, fx().content(8, 40)).offset()).isEqualTo(60);
    connection.commit();
    long sum = 100;
    for (Caller caller : List.of(first, large, one, two, own)) {
      sum += caller.get().length();
    }
    assertThat(fx().own().length(key)).isEqualTo(sum);
  }

  @Test
  default void threadsOnOneHandle_eachReadBackTheirOwnBytes() throws Exception {
    Object key = fx().row();
    int each = fx().spec().hasStore() ? 100 : 10;
    Wait.inThreads(
        ConcurrencyContract.THREADS,
        thread -> {
          for (int n = 0; n < each; n++) {
            byte[] record =
                Bytes.concat(
                    "%d %d ".formatted(thread, n).getBytes(StandardCharsets.US_ASCII),
                    fx().content(n, n));
            AppendResult result = fx().own().append(key, record);
            assertThat(fx().own().read(key, result.offset(), record.length)).isEqualTo(record);
          }
        });
    assertThat(fx().own().verify(key)).isEmpty();
  }
}
