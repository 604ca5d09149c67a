package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.BatchException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Appends to many rows in one call. */
public interface BatchContract extends Contract {
  @Test
  default void appendAll_toNullAndContentOfEverySize_appendsToEach() {
    int[] sizes = {0, 1, 100, 1_012, 8_100, 70_000};
    Map<Object, byte[]> batch = new LinkedHashMap<>();
    Map<Object, byte[]> content = new LinkedHashMap<>();
    for (int before : sizes) {
      for (int size : sizes) {
        byte[] old = fx().content(before, before);
        Object key = before == 0 ? fx().row() : fx().row(old);
        batch.put(key, fx().content(size + 1, size));
        content.put(key, Bytes.concat(old, batch.get(key)));
      }
    }

    Map<Object, AppendResult> results = fx().blobs().appendAll(batch);

    assertThat(new ArrayList<>(results.keySet())).isEqualTo(new ArrayList<>(batch.keySet()));
    batch.forEach(
        (key, bytes) -> {
          long offset = (long) content.get(key).length - bytes.length;
          assertThat(results.get(key)).isEqualTo(new AppendResult(offset, bytes.length, false));
          fx().assertContent(key, content.get(key));
        });
  }

  @Test
  default void appendAll_repeated_fillsTailsPiecesAndChunks() {
    int[] sizes = {1, 90, 364, 1_011, 1_012, 2_024, 2_025, 5_000};
    Map<Object, byte[]> content = new LinkedHashMap<>();
    Map<Object, Integer> size = new LinkedHashMap<>();
    for (int s : sizes) {
      Object key = fx().row();
      size.put(key, s);
      content.put(key, new byte[0]);
    }
    for (int round = 0; round < 30; round++) {
      Map<Object, byte[]> batch = new LinkedHashMap<>();
      for (Object key : size.keySet()) {
        batch.put(key, fx().content(round, size.get(key)));
      }
      Map<Object, AppendResult> results = fx().blobs().appendAll(batch);
      for (Object key : size.keySet()) {
        assertThat(results.get(key).offset()).isEqualTo(content.get(key).length);
        content.put(key, Bytes.concat(content.get(key), batch.get(key)));
      }
      if (round % 7 == 0) {
        content.forEach(fx()::assertContent);
      }
    }
    content.forEach(fx()::assertContent);
    size.keySet().forEach(key -> assertThat(fx().own().verify(key)).isEmpty());
  }

  @Test
  default void appendAll_withAMissingRow_changesNothing() {
    Object key = fx().row(fx().content(1, 50));
    Object unknown = fx().unknownKey();
    Map<Object, byte[]> batch = new LinkedHashMap<>();
    batch.put(key, fx().content(2, 100));
    batch.put(unknown, fx().content(3, 100));

    assertThatThrownBy(() -> fx().blobs().appendAll(batch))
        .isInstanceOfSatisfying(
            BatchException.class,
            e -> {
              assertThat(e.failures().keySet()).containsExactly(unknown);
              assertThat(e.failures().get(unknown)).isInstanceOf(RowNotFoundException.class);
            });
    fx().assertContent(key, fx().content(1, 50));
  }

  @Test
  default void appendAll_inTheCallersTransaction_changesNothingOrEverything() throws Exception {
    Object one = fx().row(fx().content(1, 50));
    Object two = fx().row(fx().content(1, 50));
    try (Connection connection = fx().begin()) {
      BlobColumn blobs = fx().on(connection);
      blobs.append(one, fx().content(2, 100));
      assertThatThrownBy(
              () ->
                  blobs.appendAll(
                      Map.of(one, fx().content(3, 10), fx().unknownKey(), fx().content(3, 10))))
          .isInstanceOf(BatchException.class);
      blobs.appendAll(Map.of(one, fx().content(4, 20), two, fx().content(5, 20)));
      connection.commit();
    }
    fx().assertContent(
            one, Bytes.concat(fx().content(1, 50), fx().content(2, 100), fx().content(4, 20)));
    fx().assertContent(two, Bytes.concat(fx().content(1, 50), fx().content(5, 20)));
  }

  @Test
  default void shortBatches_inOppositeOrders_doNotDeadlock() throws Exception {
    for (int round = 0; round < 5; round++) {
      List<Object> keys = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        keys.add(i % 4 == 0 ? fx().row() : fx().row(fx().content(1, 50)));
      }
      List<Object> reversed = new ArrayList<>(keys);
      Collections.reverse(reversed);
      List<Future<Integer>> writers = List.of(appends(keys, 6), appends(reversed, 6));
      for (Future<Integer> writer : writers) {
        Wait.get(writer);
      }
      for (int i = 0; i < 20; i++) {
        assertThat(fx().own().length(keys.get(i))).isEqualTo((i % 4 == 0 ? 0 : 50) + 2 * 6 * 10);
      }
    }
  }

  /** Appends in the caller's transaction, in which the library cannot retry after a deadlock. */
  private Future<Integer> appends(List<Object> keys, int count) throws Exception {
    Map<Object, byte[]> batch = new LinkedHashMap<>();
    keys.forEach(key -> batch.put(key, fx().content(2, 10)));
    Connection connection = fx().begin();
    BlobColumn blobs = fx().on(connection);
    return Wait.start(
        () -> {
          for (int i = 0; i < count; i++) {
            blobs.appendAll(batch);
            connection.commit();
          }
          return count;
        });
  }

  @Test
  default void appendAll_ofNothing_returnsNothing() {
    assertThat(fx().blobs().appendAll(Map.of())).isEmpty();
    assertThat(fx().blobs().appendEach(Map.of())).isEmpty();
  }

  @Test
  default void appendEach_withRefusedRows_appendsToTheOthers() {
    Object one = fx().row(fx().content(1, 50));
    Object two = fx().row(fx().content(1, 50));
    Object unknown = fx().unknownKey();
    AppendOptions at = AppendOptions.defaults();
    Map<Object, BlobAppend> batch = new LinkedHashMap<>();
    batch.put(one, new BlobAppend(fx().content(2, 100), at.withExpectedOffset(50)));
    batch.put(two, new BlobAppend(fx().content(2, 100), at.withExpectedOffset(51)));
    batch.put(unknown, new BlobAppend(fx().content(2, 100), at));

    Map<Object, AppendOutcome> outcomes = fx().blobs().appendEach(batch);

    assertThat(List.copyOf(outcomes.keySet())).isEqualTo(List.of(one, two, unknown));
    assertThat(outcomes.get(one).orElseThrow()).isEqualTo(new AppendResult(50, 100, false));
    assertThat(outcomes.get(two).failure()).isInstanceOf(OffsetConflictException.class);
    assertThat(outcomes.get(unknown).failure()).isInstanceOf(RowNotFoundException.class);
    fx().assertContent(one, Bytes.concat(fx().content(1, 50), fx().content(2, 100)));
    fx().assertContent(two, fx().content(1, 50));
  }
}
