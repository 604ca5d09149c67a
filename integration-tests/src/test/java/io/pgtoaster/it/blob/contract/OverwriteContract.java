package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.FailingInput;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Write, truncate, replace, copy, delete and compact. */
public interface OverwriteContract extends Contract {
  /** Stores one or two chunks, pieces and a tail. */
  private Object stored() {
    byte[] content = fx().content(1, 20_000);
    Object key = fx().row(Bytes.slice(content, 0, 17_000));
    fx().own().append(key, Bytes.slice(content, 17_000, 2000));
    fx().own().append(key, Bytes.slice(content, 19_000, 1000));
    return key;
  }

  private static byte[] overwritten(byte[] content, int at, byte[] change) {
    int end = Math.min(content.length, at + change.length);
    return Bytes.concat(
        Bytes.slice(content, 0, at), change, Bytes.slice(content, end, content.length - end));
  }

  @Test
  default void write_anywhere_changesExactlyThoseBytes() {
    BlobColumn blobs = fx().blobs();
    byte[] content = fx().content(1, 20_000);
    for (int at : new int[] {0, 1, 8099, 8100, 16_199, 16_200, 17_000, 18_999, 19_500, 20_000}) {
      for (int length : new int[] {0, 1, 2, 500, 8100, 12_000}) {
        Object key = stored();
        byte[] change = fx().content(length, length);
        blobs.write(key, at, change);
        assertThat(fx().read(key))
            .as("%d bytes at %d", length, at)
            .isEqualTo(overwritten(content, at, change));
        assertThat(fx().own().verify(key)).as("%d bytes at %d", length, at).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3000, 1 << 20, 5_000_000})
  default void write_ofAStream_changesExactlyThoseBytes(int length) {
    byte[] content = fx().content(1, 20_000);
    byte[] change = fx().content(2, length);
    for (int at : new int[] {0, 8101, 20_000}) {
      Object key = stored();
      fx().blobs().write(key, at, new ByteArrayInputStream(change));
      fx().assertContent(key, overwritten(content, at, change));
    }
  }

  @Test
  default void write_ofALongStream_withinTheContent_keepsTheRest() {
    byte[] content = fx().content(1, 6_000_000);
    Object key = fx().row(content);
    byte[] change = fx().content(2, 5_000_000);
    fx().blobs().write(key, 100, new ByteArrayInputStream(change));
    fx().assertContent(key, overwritten(content, 100, change));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 5_000_000})
  default void write_ofAStreamThatFails_keepsTheOldContent(int good) {
    Object key = stored();
    InputStream in = FailingInput.after(fx().content(2, good));
    assertThatThrownBy(() -> fx().blobs().write(key, 3, in))
        .hasRootCauseMessage(FailingInput.MESSAGE);
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @Test
  default void write_thatLeavesAGap_isRefusedAndNothingChanges() {
    Object key = stored();
    for (long beyond : new long[] {20_001, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
      Expect.refused(
          InvalidOffsetException.class, () -> fx().blobs().write(key, beyond, fx().content(2, 5)));
      InputStream in = new ByteArrayInputStream(fx().content(2, 1_500_000));
      Expect.refused(InvalidOffsetException.class, () -> fx().blobs().write(key, beyond, in));
    }
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 1012, 8099, 8100, 8101, 16_200, 16_999, 17_000, 18_500, 19_999, 20_000})
  default void truncate_shortensTheContent_andAppendsContinueThere(int length) {
    Object key = stored();
    fx().blobs().truncate(key, length);
    byte[] kept = fx().content(1, 20_000);
    fx().assertContent(key, Bytes.slice(kept, 0, length));
    assertThat(fx().blobs().append(key, fx().content(2, 9000)).offset()).isEqualTo(length);
    fx().blobs().append(key, fx().content(3, 10));
    fx().assertContent(
            key,
            Bytes.concat(Bytes.slice(kept, 0, length), fx().content(2, 9000), fx().content(3, 10)));
  }

  @Test
  default void truncate_beyondTheEnd_isRefusedAndNothingChanges() {
    Object key = stored();
    for (long wrong : new long[] {20_001, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
      Expect.refused(InvalidOffsetException.class, () -> fx().blobs().truncate(key, wrong));
    }
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1012, 8100, 30_000})
  default void replace_leavesExactlyTheNewContent(int length) {
    for (Object key : new Object[] {stored(), fx().row()}) {
      assertThat(fx().blobs().replace(key, fx().content(2, length)))
          .isEqualTo(new AppendResult(0, length, false));
      fx().assertContent(key, fx().content(2, length));
    }
    Object key = stored();
    fx().blobs().replace(key, new ByteArrayInputStream(fx().content(2, length)));
    fx().assertContent(key, fx().content(2, length));
  }

  @Test
  default void replace_withAFailingStream_keepsTheOldContent() {
    Object key = stored();
    InputStream in = FailingInput.after(fx().content(2, 2_000_000));
    assertThatThrownBy(() -> fx().blobs().replace(key, in))
        .hasRootCauseMessage(FailingInput.MESSAGE);
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @Test
  default void copy_isIndependentOfItsSource() {
    Object source = stored();
    Object target = fx().row();
    fx().blobs().copy(source, target);
    fx().assertContent(target, fx().content(1, 20_000));
    fx().blobs().append(target, fx().content(2, 5));
    fx().blobs().delete(source);
    fx().assertContent(target, Bytes.concat(fx().content(1, 20_000), fx().content(2, 5)));
  }

  @Test
  default void copy_ofEverySize_isEqual() {
    for (int size : new int[] {0, 1, 1012, 8100, 8101, 3_000_000}) {
      Object source = fx().row(fx().content(size, size));
      Object target = fx().row();
      fx().blobs().copy(source, target);
      fx().assertContent(target, fx().content(size, size));
    }
  }

  @Test
  default void copy_overContent_isRefusedAndNothingChanges() {
    Object source = stored();
    Object target = fx().row(fx().content(2, 100));
    Expect.refused(PgToasterException.class, () -> fx().blobs().copy(source, target));
    fx().assertContent(target, fx().content(2, 100));
    Expect.refused(BlobNotFoundException.class, () -> fx().blobs().copy(fx().row(), fx().row()));
  }

  @Test
  default void copy_withAMissingRow_namesTheRow() {
    Object source = stored();
    Object missing = fx().unknownKey();
    for (Object[] pair : new Object[][] {{source, missing}, {missing, fx().row()}}) {
      assertThat(
              Expect.refused(RowNotFoundException.class, () -> fx().blobs().copy(pair[0], pair[1])))
          .hasMessageContaining(", key " + missing + ": ");
    }
  }

  @Test
  default void delete_makesTheColumnNull() {
    Object key = stored();
    assertThat(fx().blobs().delete(key)).isTrue();
    assertThat(fx().blobs().info(key)).isEmpty();
    assertThat(fx().blobs().delete(key)).isFalse();
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().delete(fx().unknownKey()));
    fx().blobs().append(key, fx().content(2, 10));
    fx().assertContent(key, fx().content(2, 10));
  }

  @Test
  default void changes_toNullOrAnUnknownRow_areRefused() {
    Object nothing = fx().row();
    Object unknown = fx().unknownKey();
    BlobColumn blobs = fx().blobs();
    byte[] bytes = fx().content(1, 5);
    Expect.refused(BlobNotFoundException.class, () -> blobs.write(nothing, 0, bytes));
    Expect.refused(BlobNotFoundException.class, () -> blobs.truncate(nothing, 0));
    Expect.refused(RowNotFoundException.class, () -> blobs.write(unknown, 0, bytes));
    Expect.refused(RowNotFoundException.class, () -> blobs.truncate(unknown, 0));
    Expect.refused(RowNotFoundException.class, () -> blobs.replace(unknown, bytes));
    assertThat(blobs.info(nothing)).isEmpty();
  }

  @Test
  default void verifyAndCompact_ofAnUnknownRow_areRefused() {
    Object unknown = fx().unknownKey();
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().verify(unknown));
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().compact(unknown));
  }

  @Test
  default void compact_keepsTheContent_andASecondCallDoesNothing() {
    Object key = fx().row();
    for (int i = 0; i < 200; i++) {
      fx().own().append(key, fx().content(i, 150 + i));
    }
    byte[] content = fx().read(key);
    assertThat(fx().blobs().compact(key)).isNotNegative();
    fx().assertContent(key, content);
    assertThat(fx().blobs().compact(key)).isZero();
    fx().blobs().append(key, fx().content(1, 10));
    fx().assertContent(key, Bytes.concat(content, fx().content(1, 10)));
  }
}
