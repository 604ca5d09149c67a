package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.it.kit.Bytes;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads of many rows in one call. */
public interface ManyBlobsContract extends Contract {
  /** Rows with content of every size. The first and the last row were filled by appends. */
  private Map<Object, byte[]> rows() {
    Map<Object, byte[]> rows = new LinkedHashMap<>();
    for (int size : new int[] {1, 0, 100, 1_012, 8_100, 70_000, 300_000}) {
      byte[] content = fx().content(size, size);
      rows.put(fx().row(content), content);
    }
    for (int n : new int[] {3, 40}) {
      Object key = fx().row();
      byte[] content = new byte[0];
      for (int i = 0; i < n; i++) {
        byte[] more = fx().content(i, 700);
        fx().own().append(key, more);
        content = Bytes.concat(content, more);
      }
      rows.put(key, content);
    }
    return rows;
  }

  @Test
  default void readAll_ofManyRows_returnsTheSameRangeOfEachBlob() {
    Map<Object, byte[]> rows = rows();
    List<Object> keys = new ArrayList<>(rows.keySet());
    Collections.reverse(keys);
    keys.add(2, fx().row());
    keys.add(5, fx().unknownKey());
    keys.add(keys.get(0));
    BlobColumn blobs = fx().blobs();

    for (long offset : new long[] {0, 1, 699, 2_090, 69_999, 1L << 40}) {
      for (int length : new int[] {0, 1, 100, 5_000, 400_000}) {
        Map<Object, byte[]> read = blobs.readRanges(keys, offset, length);
        List<Object> order = new ArrayList<>(keys.subList(0, keys.size() - 1));
        order.retainAll(rows.keySet());
        assertThat(new ArrayList<>(read.keySet())).isEqualTo(order);
        rows.forEach(
            (key, content) -> {
              int from = (int) Math.min(offset, content.length);
              int count = Math.min(length, content.length - from);
              assertThat(read.get(key))
                  .as("%s: %d bytes at %d", key, length, offset)
                  .isEqualTo(Bytes.slice(content, from, count));
            });
      }
    }
    assertThat(blobs.readRanges(List.of(), 0, 1)).isEmpty();
  }

  @Test
  default void lengths_ofManyRows_matchEachBlob() {
    Map<Object, byte[]> rows = rows();
    Map<Object, Long> expected = new LinkedHashMap<>();
    expected.put(fx().row(), 0L);
    rows.forEach((key, content) -> expected.put(key, (long) content.length));
    List<Object> keys = new ArrayList<>(expected.keySet());
    keys.add(3, fx().unknownKey());

    Map<Object, Long> lengths = fx().blobs().lengths(keys);

    assertThat(lengths).containsExactlyEntriesOf(expected);
    assertThat(fx().blobs().lengths(List.of())).isEmpty();
  }

  @Test
  default void manyReads_seeTheAppendsOfTheirTransaction() throws Exception {
    byte[] content = fx().content(1, 5_000);
    Object one = fx().row(content);
    Object two = fx().row(content);
    byte[] more = fx().content(2, 20);
    try (Connection connection = fx().begin()) {
      BlobColumn blobs = fx().on(connection);
      blobs.append(one, more);
      assertThat(blobs.lengths(List.of(one, two)))
          .containsExactly(Map.entry(one, 5_020L), Map.entry(two, 5_000L));
      Map<Object, byte[]> read = blobs.readRanges(List.of(one, two), 5_000, 100);
      assertThat(read.get(one)).isEqualTo(more);
      assertThat(read.get(two)).isEmpty();
      connection.rollback();
    }
  }

  @Test
  default void manyReads_ofNegativeRanges_areRefused() {
    Object key = fx().row(fx().content(1, 10));
    assertThatThrownBy(() -> fx().blobs().readRanges(List.of(key), -1, 1))
        .isInstanceOf(InvalidOffsetException.class);
    assertThatThrownBy(() -> fx().blobs().readRanges(List.of(key), 0, -1))
        .isInstanceOf(InvalidOffsetException.class);
  }
}
