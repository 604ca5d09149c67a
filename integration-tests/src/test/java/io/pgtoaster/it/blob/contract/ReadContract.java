package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.ContentTooLongException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

public interface ReadContract extends Contract {

  /** Stores content of this size; the last bytes are small appends. */
  private Object stored(int size) {
    Object key = fx().row();
    byte[] content = fx().content(size, size);
    int most = Math.max(0, size - 1500);
    fx().own().append(key, Bytes.slice(content, 0, most));
    for (int at = most; at < size; at += 500) {
      fx().own().append(key, Bytes.slice(content, at, Math.min(500, size - at)));
    }
    return key;
  }

  @Test
  default void read_ofRangesAroundEveryBoundary_returnsExactlyThoseBytes() {
    BlobColumn blobs = fx().blobs();
    int[] points = {0, 1, 499, 1012, 8099, 8100, 8101, 16_199, 16_200, 16_201, 68_500, 69_999};
    for (int size : new int[] {0, 1, 1011, 1012, 1013, 8099, 8100, 8101, 16_200, 17_000, 70_000}) {
      Object key = stored(size);
      byte[] content = fx().content(size, size);
      try (BlobReader reader = blobs.open(key)) {
        assertThat(reader.length()).isEqualTo(size);
        for (int from : Arrays.stream(points).filter(p -> p <= size).toArray()) {
          for (int count : new int[] {0, 1, 2, 600, 8100, 8101, 80_000}) {
            byte[] expected = Bytes.slice(content, from, count);
            assertThat(blobs.read(key, from, count))
                .as("%d bytes at %d of %d", count, from, size)
                .isEqualTo(expected);
            byte[] buffer = new byte[count + 2];
            int n = reader.read(from, buffer, 1, count);
            assertThat(n).isEqualTo(from == size && count > 0 ? -1 : expected.length);
            assertThat(Arrays.copyOfRange(buffer, 1, 1 + expected.length)).isEqualTo(expected);
            assertThat(buffer[0]).isZero();
            assertThat(buffer[count + 1]).isZero();
          }
        }
      }
    }
  }

  @Test
  default void read_beyondTheEnd_isRefused() {
    Object key = fx().row(fx().content(1, 100));
    assertThat(fx().blobs().read(key, 100, 10)).isEmpty();
    for (long beyond : new long[] {101, 8100, 1L << 40, Long.MAX_VALUE}) {
      Expect.refused(InvalidOffsetException.class, () -> fx().blobs().read(key, beyond, 10));
    }
  }

  @Test
  default void read_ofNegativeRanges_isRefused() {
    Object key = fx().row(fx().content(1, 100));
    for (long[] range : new long[][] {{-1, 10}, {Long.MIN_VALUE, 1}, {0, -1}, {5, -7}}) {
      Expect.refused(
          InvalidOffsetException.class, () -> fx().blobs().read(key, range[0], (int) range[1]));
    }
    Expect.refused(InvalidOffsetException.class, () -> fx().blobs().inputStream(key, -1, 5));
    Expect.refused(InvalidOffsetException.class, () -> fx().blobs().inputStream(key, 1, -5));
  }

  @Test
  default void read_ofNull_isRefused() {
    Object key = fx().row();
    Expect.refused(BlobNotFoundException.class, () -> fx().blobs().read(key, 0, 10));
    Expect.refused(BlobNotFoundException.class, () -> fx().blobs().open(key).close());
    Expect.failed(BlobNotFoundException.class, () -> fx().blobs().inputStream(key).read());
    assertThat(fx().blobs().info(key)).isEmpty();
    assertThat(fx().blobs().length(key)).isZero();
  }

  @Test
  default void read_ofAnUnknownRow_isRefused() {
    Object key = fx().unknownKey();
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().read(key, 0, 10));
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().open(key).close());
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().info(key));
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().length(key));
  }

  @Test
  default void readAll_returnsTheContentUpToTheLimit() {
    for (int size : new int[] {0, 1, 8100, 65_536, 65_537, 4_300_000}) {
      byte[] content = fx().content(size, size);
      Object key = fx().row(content);
      assertThat(fx().blobs().readAll(key, Integer.MAX_VALUE)).isEqualTo(content);
      assertThat(fx().blobs().readAll(key, size)).isEqualTo(content);
      if (size > 0) {
        assertThat(
                Expect.refused(
                    ContentTooLongException.class, () -> fx().blobs().readAll(key, size - 1)))
            .hasMessageContaining("key " + key)
            .hasMessageContaining("has " + size + " bytes")
            .hasMessageContaining("is " + (size - 1));
      }
    }
    Expect.refused(BlobNotFoundException.class, () -> fx().blobs().readAll(fx().row(), 10));
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().readAll(fx().unknownKey(), 10));
    Expect.refused(InvalidOffsetException.class, () -> fx().blobs().readAll(fx().row(), -1));
  }

  @Test
  default void read_withTooSmallABuffer_isRefused() {
    Object key = fx().row(fx().content(1, 100));
    try (BlobReader reader = fx().blobs().open(key)) {
      for (int[] range : new int[][] {{-1, 5}, {0, 11}, {10, 1}, {5, -1}, {1, Integer.MAX_VALUE}}) {
        assertThatThrownBy(() -> reader.read(0, new byte[10], range[0], range[1]))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      Expect.refused(InvalidOffsetException.class, () -> reader.read(-1, new byte[10], 0, 5));
    }
  }

  @Test
  default void reader_whenClosed_throws() {
    Object key = fx().row(fx().content(1, 100));
    BlobReader reader = fx().blobs().open(key);
    reader.close();
    reader.close();
    assertThatThrownBy(() -> reader.read(0, new byte[10], 0, 5)).isInstanceOf(Exception.class);
  }

  @Test
  default void reader_whileOthersAppend_seesTheLengthThatItOpened() {
    Object key = fx().row(fx().content(1, 9000));
    try (BlobReader reader = fx().blobs().open(key)) {
      for (int i = 0; i < 30; i++) {
        fx().own().append(key, fx().content(i, 700));
      }
      assertThat(reader.length()).isEqualTo(9000);
      byte[] buffer = new byte[20_000];
      assertThat(reader.read(0, buffer, 0, 20_000)).isEqualTo(9000);
      assertThat(Bytes.slice(buffer, 0, 9000)).isEqualTo(fx().content(1, 9000));
      assertThat(reader.read(9000, buffer, 0, 10)).isEqualTo(-1);
    }
  }

  @Test
  default void info_returnsTheLength() {
    Object key = fx().row(fx().content(1, 9000));
    BlobInfo info = fx().blobs().info(key).orElseThrow();
    assertThat(info.length()).isEqualTo(9000);
    assertThat(info.sealed()).isFalse();
    assertThat(fx().blobs().length(key)).isEqualTo(9000);
  }

  @Test
  default void keys_listsTheRowsWithContentInOrder() {
    BlobColumn blobs = fx().blobs();
    Object first = fx().row(fx().content(1, 1));
    Object empty = fx().row();
    Object second = fx().row(fx().content(1, 1));
    List<RowKey> all = blobs.keys(Integer.MAX_VALUE);
    assertThat(all).contains(rowKey(first), rowKey(second)).doesNotContain(rowKey(empty));
    RowKey after = null;
    for (RowKey expected : all) {
      List<RowKey> page = blobs.keys(after, 1);
      assertThat(page).containsExactly(expected);
      after = page.get(0);
    }
    assertThat(blobs.keys(after, 10)).isEmpty();
  }

  private static RowKey rowKey(Object key) {
    List<?> values = key instanceof List<?> list ? list : List.of(key);
    return new RowKey(values.stream().map(Object::toString).toList());
  }

  @Test
  default void inputStream_ofAHugeLength_endsWithTheContent() throws Exception {
    byte[] content = fx().content(1, 20_000);
    Object key = fx().row(content);
    try (InputStream in = fx().own().inputStream(key, 1, Long.MAX_VALUE)) {
      assertThat(in.readAllBytes()).isEqualTo(Bytes.slice(content, 1, 19_999));
    }
    try (BlobReader reader = fx().own().open(key);
        InputStream in = reader.inputStream(20_000, Long.MAX_VALUE)) {
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  default void read_ofSeveralWindows_isComplete() {
    byte[] content = fx().content(1, 9_000_001);
    Object key = fx().row(content);
    assertThat(fx().own().read(key, 1, Integer.MAX_VALUE))
        .isEqualTo(Bytes.slice(content, 1, 9_000_000));
  }
}
