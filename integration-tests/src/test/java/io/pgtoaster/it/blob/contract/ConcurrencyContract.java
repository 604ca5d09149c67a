package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Records;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public interface ConcurrencyContract extends Contract {
  int THREADS = 16;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void firstAppends_ofTwoConnections_createOneBlob(boolean firstCommits) throws Exception {
    Object key = fx().row();
    Connection connection = fx().begin();
    fx().on(connection).append(key, fx().content(1, 100));
    BlobColumn blobs = fx().blobs();
    Future<AppendResult> second = Wait.start(() -> blobs.append(key, fx().content(2, 50)));
    fx().database().awaitLockWaiters(1);
    if (firstCommits) {
      connection.commit();
    } else {
      connection.rollback();
    }
    assertThat(Wait.get(second).offset()).isEqualTo(firstCommits ? 100 : 0);
    fx().assertContent(
            key,
            firstCommits
                ? Bytes.concat(fx().content(1, 100), fx().content(2, 50))
                : fx().content(2, 50));
  }

  @Test
  default void concurrentFirstAppends_createOneBlob() throws Exception {
    for (int round = 0; round < 10; round++) {
      Object key = fx().row();
      CyclicBarrier barrier = new CyclicBarrier(4);
      List<Future<AppendResult>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        BlobColumn blobs = fx().blobs();
        byte[] bytes = fx().content(i, i % 2 == 0 ? 10 : 9000);
        all.add(
            Wait.start(
                () -> {
                  barrier.await();
                  return blobs.append(key, bytes);
                }));
      }
      long sum = 0;
      for (Future<AppendResult> future : all) {
        sum += Wait.get(future).length();
      }
      assertThat(fx().own().length(key)).isEqualTo(sum);
      assertThat(fx().own().verify(key)).isEmpty();
      assertThat(fx().orphans()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 2500, 3000, 9000})
  default void appends_toOneBlob_takeTurns(int size) throws Exception {
    Object key = fx().row(fx().content(1, 500));
    fx().own().append(key, fx().content(4, 2000));
    Connection connection = fx().begin();
    fx().on(connection).append(key, fx().content(2, size));
    BlobColumn blobs = fx().blobs();
    Future<AppendResult> second = Wait.start(() -> blobs.append(key, fx().content(3, size)));
    fx().database().awaitLockWaiters(1);
    assertThat(second.isDone()).isFalse();
    connection.commit();
    assertThat(Wait.get(second).offset()).isEqualTo(2500 + size);
    fx().assertContent(
            key,
            Bytes.concat(
                fx().content(1, 500),
                fx().content(4, 2000),
                fx().content(2, size),
                fx().content(3, size)));
  }

  @Test
  default void appends_toOtherBlobs_neverWait() throws Exception {
    Object busy = fx().row(fx().content(1, 500));
    Object first = fx().row();
    Object other = fx().row(fx().content(1, 500));
    Object empty = fx().row();
    Connection connection = fx().begin();
    fx().on(connection).append(busy, fx().content(2, 30_000));
    fx().on(connection).append(first, fx().content(2, 30_000));
    BlobColumn impatient = fx().impatient();
    impatient.append(other, fx().content(3, 10));
    impatient.append(other, fx().content(3, 30_000));
    impatient.append(empty, fx().content(3, 30_000));
    impatient.write(other, 0, fx().content(4, 100));
    impatient.truncate(other, 10);
    impatient.replace(other, fx().content(4, 100));
    assertThat(impatient.delete(empty)).isTrue();
    connection.commit();
    assertThat(fx().own().length(busy)).isEqualTo(30_500);
  }

  @Test
  default void reads_neverWaitForAnAppend() throws Exception {
    Object key = fx().row(fx().content(1, 500));
    Connection connection = fx().begin();
    fx().on(connection).append(key, fx().content(2, 30_000));
    assertThat(fx().impatient().read(key, 0, 1000)).isEqualTo(fx().content(1, 500));
    assertThat(fx().impatient().length(key)).isEqualTo(500);
    connection.rollback();
  }

  private void appendRecords(int thread, int count, Object key) {
    BlobColumn blobs = fx().blobs();
    for (int n = 0; n < count; n++) {
      byte[] record = Records.record(thread, n, Records.size(thread, n));
      assertThat(blobs.append(key, record).length()).isEqualTo(record.length);
    }
  }

  @Test
  default void threadsOnOneBlob_loseNothingAndKeepTheirOrder() throws Exception {
    Object key = fx().row();
    // Each append rewrites a whole stock value.
    int each = fx().spec().hasStore() ? 20 : 5;
    Wait.inThreads(THREADS, thread -> appendRecords(thread, each, key));
    Records.assertWhole(fx().read(key), THREADS, each);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void threadsOnSeparateBlobs_loseNothing() throws Exception {
    int each = 20;
    List<Object> keys = Stream.generate(() -> fx().row()).limit(THREADS).toList();
    Wait.inThreads(THREADS, thread -> appendRecords(thread, each, keys.get(thread)));
    for (int t = 0; t < THREADS; t++) {
      Records.assertWhole(fx().read(keys.get(t)), List.of(t), each);
      assertThat(fx().own().verify(keys.get(t))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  default void separateTransactions_thatAreAborted_areRetried(String isolation) throws Exception {
    Object key = fx().row(fx().content(1, 100));
    try (HikariDataSource pool =
        fx().database().pool(4, "SET default_transaction_isolation = '" + isolation + "'")) {
      BlobColumn blobs = PgToaster.create(pool).blobs(Fixture.TABLE, Fixture.COLUMN);
      Wait.inThreads(
          3,
          t -> {
            int size = t == 0 ? 9000 : 10;
            for (int i = 0; i < 10; i++) {
              blobs.append(key, fx().content(i, size));
            }
          });
    }
    assertThat(fx().own().length(key)).isEqualTo(100 + 10 * 9020);
    assertThat(fx().own().verify(key)).isEmpty();
  }
}
