package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Thinned;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Appends of bytes in memory. */
public interface AppendContract extends Contract {
  @Test
  default void append_toNull_createsTheContent() {
    Object key = fx().row();
    AppendResult result = fx().blobs().append(key, fx().content(1, 100));
    assertThat(result).isEqualTo(new AppendResult(0, 100, false));
    fx().assertContent(key, fx().content(1, 100));
  }

  @Test
  default void append_ofEverySize_isReadBack() {
    BlobColumn blobs = fx().blobs();
    Bytes.boundaries()
        .forEach(
            size -> {
              Object key = fx().row();
              assertThat(blobs.append(key, fx().content(size, size)))
                  .isEqualTo(new AppendResult(0, size, false));
              fx().assertContent(key, fx().content(size, size));
            });
  }

  @Test
  default void append_toContentOfEverySize_isReadBack() {
    BlobColumn blobs = fx().blobs();
    int[] before = {0, 1, 1011, 1012, 1013, 8099, 8100, 8101, 16_199, 16_200, 16_201};
    int[] after = {1, 2, 1011, 1012, 1013, 7088, 8099, 8100, 8101, 24_301};
    Thinned cases = new Thinned(fx().setting());
    for (int first : before) {
      for (int second : after) {
        if (!cases.takes()) {
          continue;
        }
        Object key = fx().row();
        byte[] one = fx().content(first, first);
        byte[] two = fx().content(second, second);
        byte[] three = fx().content(3, 3);
        blobs.append(key, one);
        assertThat(blobs.append(key, two).offset()).isEqualTo(first);
        assertThat(blobs.append(key, three).end()).isEqualTo(first + second + 3);
        assertThat(fx().read(key))
            .as("%d, %d and 3 bytes", first, second)
            .isEqualTo(Bytes.concat(one, two, three));
        assertThat(fx().own().verify(key)).as("%d, %d and 3 bytes", first, second).isEmpty();
      }
    }
  }

  @Test
  default void append_ofManySmallPieces_keepsTheirOrder() {
    BlobColumn blobs = fx().blobs();
    Object key = fx().row();
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 11));
    for (int i = 0; i < 300; i++) {
      byte[] piece = fx().content(i, random.nextInt(400));
      assertThat(blobs.append(key, piece).offset()).isEqualTo(model.size());
      model.writeBytes(piece);
    }
    fx().assertContent(key, model.toByteArray());
  }

  @Test
  default void append_ofAPartOfAnArray_appendsOnlyThatPart() {
    Object key = fx().row();
    byte[] content = fx().content(1, 30_000);
    for (int[] part : new int[][] {{0, 0}, {0, 40}, {40, 9000}, {9040, 20_960}}) {
      assertThat(fx().blobs().append(key, content, part[0], part[1]))
          .isEqualTo(new AppendResult(part[0], part[1], false));
    }
    for (int[] part : new int[][] {{-1, 1}, {0, 30_001}, {30_000, 1}, {5, -1}}) {
      assertThatThrownBy(() -> fx().blobs().append(key, content, part[0], part[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    fx().assertContent(key, content);
  }

  @Test
  default void append_ofABuffer_consumesIt() {
    byte[] content = fx().content(1, 9000);
    for (ByteBuffer buffer :
        List.of(
            ByteBuffer.wrap(content),
            ByteBuffer.wrap(content).asReadOnlyBuffer(),
            ByteBuffer.allocateDirect(9000).put(content))) {
      Object key = fx().row();
      buffer.position(10).limit(30);
      assertThat(fx().blobs().append(key, buffer)).isEqualTo(new AppendResult(0, 20, false));
      assertThat(buffer.position()).isEqualTo(30);
      ByteBuffer rest = buffer.limit(9000).slice();
      assertThat(fx().blobs().append(key, rest)).isEqualTo(new AppendResult(20, 8970, false));
      assertThat(fx().blobs().append(key, rest)).isEqualTo(new AppendResult(8990, 0, false));
      fx().assertContent(key, Bytes.slice(content, 10, 8990));
    }
  }

  @Test
  default void append_ofABuffer_thatFails_leavesItsPosition() {
    ByteBuffer buffer = ByteBuffer.wrap(fx().content(1, 50)).position(10);
    Expect.refused(
        RowNotFoundException.class, () -> fx().blobs().append(fx().unknownKey(), buffer));
    assertThat(buffer.position()).isEqualTo(10);
    assertThat(buffer.limit()).isEqualTo(50);
  }

  @Test
  default void append_ofNothing_changesNothing() {
    Object key = fx().row(fx().content(1, 5));
    assertThat(fx().blobs().append(key, new byte[0])).isEqualTo(new AppendResult(5, 0, false));
    fx().assertContent(key, fx().content(1, 5));
  }

  @Test
  default void append_ofNothingToNull_createsEmptyContent() {
    Object key = fx().row();
    assertThat(fx().blobs().append(key, new byte[0])).isEqualTo(new AppendResult(0, 0, false));
    assertThat(fx().blobs().info(key)).isPresent();
    assertThat(fx().blobs().length(key)).isZero();
  }

  @Test
  default void append_atTheRightOffset_isApplied() {
    Object key = fx().row();
    BlobColumn blobs = fx().blobs();
    assertThat(
            blobs
                .append(key, fx().content(1, 10), AppendOptions.defaults().withExpectedOffset(0))
                .repeated())
        .isFalse();
    assertThat(
            blobs.append(key, fx().content(2, 10), AppendOptions.defaults().withExpectedOffset(10)))
        .isEqualTo(new AppendResult(10, 10, false));
    fx().assertContent(key, Bytes.concat(fx().content(1, 10), fx().content(2, 10)));
  }

  @Test
  default void append_atWrongOffset_isRefusedAndNothingChanges() {
    for (int size : new int[] {1, 1012, 8100, 20_000}) {
      Object key = fx().row(fx().content(1, size));
      IntStream.of(0, size - 1, size + 1)
          .filter(wrong -> wrong != size)
          .forEach(
              wrong -> {
                for (int more : new int[] {1, 9000}) {
                  Expect.conflict(
                      size,
                      () ->
                          fx().blobs()
                              .append(
                                  key,
                                  fx().content(2, more),
                                  AppendOptions.defaults().withExpectedOffset(wrong)));
                }
              });
      fx().assertContent(key, fx().content(1, size));
    }
  }

  @Test
  default void append_atWrongOffset_namesThePlaceAndBothLengths() {
    Object key = fx().row(fx().content(1, 12));
    AppendOptions options = AppendOptions.defaults().withExpectedOffset(7);
    for (int more : new int[] {1, 9000}) {
      OffsetConflictException e =
          Expect.conflict(12, () -> fx().blobs().append(key, fx().content(2, more), options));
      assertThat(e.expected()).isEqualTo(7);
      assertThat(e)
          .hasMessageContaining(fx().blobs().describe().name().toString())
          .hasMessageContaining("key " + key)
          .hasMessageContaining("12 bytes, but 7 were expected");
    }
  }

  @Test
  default void append_atWrongOffsetOfNull_leavesItNull() {
    Object key = fx().row();
    AppendOptions options = AppendOptions.defaults().withExpectedOffset(7);
    Expect.conflict(0, () -> fx().blobs().append(key, fx().content(1, 5), options));
    assertThat(fx().blobs().info(key)).isEmpty();
  }

  @Test
  default void append_atAHugeOffset_isAConflict() {
    Object key = fx().row(fx().content(1, 5));
    AppendOptions options = AppendOptions.defaults().withExpectedOffset(Long.MAX_VALUE);
    Expect.conflict(5, () -> fx().blobs().append(key, fx().content(1, 5), options));
  }

  @Test
  default void append_toAnUnknownRow_isRefused() {
    Object key = fx().unknownKey();
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().append(key, fx().content(1, 5)));
    Expect.refused(
        RowNotFoundException.class, () -> fx().blobs().append(key, fx().content(1, 20_000)));
  }

  @Test
  default void append_atANegativeOffset_isRefused() {
    Expect.refused(
        InvalidOffsetException.class, () -> AppendOptions.defaults().withExpectedOffset(-1));
  }
}
