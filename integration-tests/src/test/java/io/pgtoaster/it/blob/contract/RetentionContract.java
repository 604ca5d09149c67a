package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.DiscardedException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Blobs whose beginning was discarded. */
public interface RetentionContract extends Contract {
  int LENGTH = 20_000;

  /** How much more than its limit an append may keep. */
  int STEP = 256 << 10;

  /** Stores chunks, pieces and a tail. */
  private Object stored() {
    byte[] content = fx().content(1, LENGTH);
    Object key = fx().row(Bytes.slice(content, 0, 17_000));
    fx().own().append(key, Bytes.slice(content, 17_000, 2000));
    fx().own().append(key, Bytes.slice(content, 19_000, 1000));
    return key;
  }

  private static byte[] from(byte[] content, int at) {
    return Bytes.slice(content, at, content.length - at);
  }

  private void assertDiscarded(long first, Runnable call) {
    assertThat(Expect.refused(DiscardedException.class, call::run))
        .hasMessageContaining("before offset " + first)
        .extracting(DiscardedException::first)
        .isEqualTo(first);
  }

  /** Checks reads of all kinds; the bytes before an offset are discarded. */
  private void assertLeft(Object key, byte[] content, int first) throws IOException {
    BlobColumn blobs = fx().blobs();
    BlobInfo info = blobs.info(key).orElseThrow();
    assertThat(info.length()).isEqualTo(content.length);
    assertThat(info.first()).isEqualTo(first);
    byte[] left = from(content, first);
    assertThat(blobs.read(key, first, content.length)).isEqualTo(left);
    assertThat(blobs.readAll(key, left.length)).isEqualTo(left);
    try (InputStream in = blobs.inputStream(key)) {
      assertThat(in.readAllBytes()).isEqualTo(left);
    }
    try (BlobReader reader = fx().own().open(key);
        InputStream in = reader.inputStream()) {
      assertThat(reader.first()).isEqualTo(first);
      assertThat(in.readAllBytes()).isEqualTo(left);
      if (first > 0) {
        assertDiscarded(first, () -> reader.read(first - 1, new byte[2], 0, 2));
      }
    }
    try (InputStream in = blobs.sqlBlob(key).getBinaryStream()) {
      assertThat(in.readAllBytes()).isEqualTo(left);
      assertThat(blobs.sqlBlob(key).position(Bytes.slice(left, 0, Math.min(8, left.length)), 1))
          .isEqualTo(first + 1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    for (int before : new int[] {0, first / 2, first - 1}) {
      if (before >= 0 && before < first) {
        assertDiscarded(first, () -> blobs.read(key, before, 1));
        assertDiscarded(first, () -> blobs.read(key, before, content.length));
        assertDiscarded(first, () -> blobs.readRanges(List.of(key), before, 10));
        assertDiscarded(first, () -> blobs.write(key, before, new byte[] {1}));
        assertDiscarded(first, () -> close(fx().own().inputStream(key, before, 10)));
        if (before > 0) {
          assertDiscarded(first, () -> blobs.truncate(key, before));
        }
      }
    }
    assertThat(blobs.verify(key)).isEmpty();
  }

  private static void close(InputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  default void discard_keepsTheOffsetsOfTheRest() throws IOException {
    byte[] content = fx().content(1, LENGTH);
    byte[] change = fx().content(3, 9000);
    for (int at : new int[] {0, 1, 8099, 8100, 8101, 16_200, 17_000, 19_500, LENGTH}) {
      Object key = stored();
      assertThat(fx().blobs().discardBefore(key, at)).isEqualTo(at);
      assertLeft(key, content, at);
      assertThat(fx().blobs().discardBefore(key, at)).isEqualTo(at);
      assertThat(fx().blobs().discardBefore(key, at / 2)).isEqualTo(at);
      byte[] more = Bytes.concat(content, fx().content(2, 50), fx().content(4, 9000));
      fx().blobs().append(key, fx().content(2, 50));
      fx().blobs().append(key, fx().content(4, 9000));
      assertLeft(key, more, at);
      fx().blobs().write(key, at, change);
      byte[] written =
          Bytes.concat(Bytes.slice(more, 0, at), change, from(more, at + change.length));
      assertLeft(key, written, at);
      fx().blobs().truncate(key, at + 3);
      assertLeft(key, Bytes.slice(written, 0, at + 3), at);
      fx().blobs().truncate(key, at);
      assertLeft(key, Bytes.slice(written, 0, at), at);
      fx().blobs().append(key, change);
      assertLeft(key, Bytes.concat(Bytes.slice(written, 0, at), change), at);
    }
  }

  @Test
  default void discard_deletesTheChunks_andCanFollowTheEnd() throws IOException {
    Object key = fx().row();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 60; i++) {
      byte[] piece = fx().content(i, i % 7 == 0 ? 9000 : 700);
      all.writeBytes(piece);
      long end = fx().blobs().append(key, piece).end();
      fx().blobs().discardBefore(key, Math.max(0, end - 10_000));
    }
    assertLeft(key, all.toByteArray(), all.size() - 10_000);
    assertThat(
            fx().number(
                    "SELECT coalesce(sum(octet_length(data)), 0) FROM %s WHERE blob_id = %d"
                        .formatted(fx().table("chunk"), fx().handle(key))))
        .isLessThan(10_000 + 40_000);
  }

  @Test
  default void discard_ofNothing_isRefused() {
    Object key = stored();
    for (long beyond : new long[] {LENGTH + 1, Long.MAX_VALUE, -1}) {
      Expect.refused(InvalidOffsetException.class, () -> fx().blobs().discardBefore(key, beyond));
    }
    Expect.refused(BlobNotFoundException.class, () -> fx().blobs().discardBefore(fx().row(), 0));
    Expect.refused(
        RowNotFoundException.class, () -> fx().blobs().discardBefore(fx().unknownKey(), 0));
    fx().assertContent(key, fx().content(1, LENGTH));
    fx().blobs().seal(key);
    Expect.refused(BlobSealedException.class, () -> fx().blobs().discardBefore(key, 5));
    fx().assertContent(key, fx().content(1, LENGTH));
  }

  @Test
  default void emptyOrReplacedContent_beginsAtZeroAgain() {
    for (int at : new int[] {5, 16_500, LENGTH}) {
      Object key = stored();
      fx().blobs().discardBefore(key, at);
      try (BlobReader reader = fx().own().open(key)) {
        fx().blobs().truncate(key, 0);
        assertThat(fx().blobs().info(key).orElseThrow())
            .extracting(BlobInfo::length, BlobInfo::first)
            .containsExactly(0L, 0L);
        if (at < LENGTH) {
          Expect.refused(BlobChangedException.class, () -> reader.read(at, new byte[1], 0, 1));
        }
      }
      fx().blobs().append(key, fx().content(5, 9000));
      fx().assertContent(key, fx().content(5, 9000));
      fx().blobs().discardBefore(key, 8500);
      fx().blobs().replace(key, fx().content(6, 20_000));
      fx().assertContent(key, fx().content(6, 20_000));
    }
  }

  @Test
  default void whatIsLeft_canBeCompactedCopiedAndSealed() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Object key = fx().row();
    for (int i = 0; i < 40; i++) {
      byte[] piece = fx().content(i, 2100);
      all.writeBytes(piece);
      fx().own().append(key, piece);
    }
    byte[] content = all.toByteArray();
    fx().blobs().discardBefore(key, 30_000);
    fx().blobs().compact(key);
    assertLeft(key, content, 30_000);
    Object copy = fx().row();
    fx().blobs().copy(key, copy);
    fx().assertContent(copy, from(content, 30_000));
    fx().blobs().seal(key);
    assertThat(fx().blobs().read(key, 30_000, content.length)).isEqualTo(from(content, 30_000));
    assertDiscarded(30_000, () -> fx().blobs().read(key, 29_999, 1));
    assertThat(fx().blobs().verify(key)).isEmpty();
    assertThat(fx().blobs().delete(key)).isTrue();
  }

  @Test
  default void openReader_readsWhatIsLeft() {
    Object key = stored();
    byte[] content = fx().content(1, LENGTH);
    try (BlobReader reader = fx().own().open(key)) {
      fx().blobs().discardBefore(key, 16_500);
      byte[] bytes = new byte[100];
      assertThat(reader.read(16_500, bytes, 0, 100)).isEqualTo(100);
      assertThat(bytes).isEqualTo(Bytes.slice(content, 16_500, 100));
      assertDiscarded(16_500, () -> reader.read(100, bytes, 0, 100));
      assertThat(reader.first()).isZero();
    }
  }

  @Test
  default void rolledBackDiscard_removesNothing() throws SQLException {
    Object key = stored();
    Connection connection = fx().begin();
    fx().on(connection).discardBefore(key, 16_500);
    assertDiscarded(16_500, () -> fx().on(connection).read(key, 0, 1));
    connection.rollback();
    fx().assertContent(key, fx().content(1, LENGTH));
  }

  @Test
  default void follow_startsAtTheFirstByteThatIsLeft() throws Exception {
    Object key = fx().row();
    fx().own().appendText(key, "one\ntwo\nthree \u00e9\nfour\n");
    fx().own().discardBefore(key, 15);
    assertThat(fx().own().tail(key, 9)).containsExactly("", "four");
    assertThat(fx().own().tail(key, 1)).containsExactly("four");
    try (InputStream in = fx().own().follow(key, Options.follow(3, Wait.DEADLINE))) {
      assertThatThrownBy(in::read).hasCauseInstanceOf(DiscardedException.class);
    }
    FollowOptions options = FollowOptions.defaults().withTimeout(Wait.DEADLINE);
    for (FollowOptions start : List.of(options, options.withLastLines(9))) {
      try (InputStream in = fx().own().follow(key, start)) {
        byte[] bytes = in.readNBytes(7);
        assertThat(new String(bytes, 1, 6, StandardCharsets.UTF_8)).isEqualTo("\nfour\n");
      }
    }
    try (InputStream in = fx().own().follow(key, Options.follow(16, Wait.DEADLINE))) {
      assertThat(in.read()).isEqualTo('\n');
      fx().own().append(key, fx().content(1, 100_000));
      fx().own().discardBefore(key, 90_000);
      assertThatThrownBy(in::readAllBytes).hasCauseInstanceOf(DiscardedException.class);
    }
  }

  @Test
  default void keepLast_keepsAtLeastThatMuch_andLittleMore() throws Exception {
    AppendOptions keep = AppendOptions.defaults().withKeepLast(30_000);
    Object key = fx().row();
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 40; i++) {
      byte[] piece = fx().content(i, i % 3 == 0 ? 50_000 : 9000);
      all.writeBytes(piece);
      AppendOptions options = i % 2 == 0 ? keep : keep.withToken(token);
      AppendResult result =
          switch (i % 5) {
            case 0 -> fx().blobs().append(key, new ByteArrayInputStream(piece), keep);
            case 1 ->
                fx().blobs().append(key, piece, keep.withExpectedOffset(all.size() - piece.length));
            case 2 ->
                fx().blobs()
                    .appendEach(Map.of(key, new BlobAppend(piece, keep)))
                    .get(key)
                    .orElseThrow();
            default -> fx().blobs().append(key, piece, options);
          };
      assertThat(result.end()).isEqualTo(all.size());
      token = token.next();
      BlobInfo info = fx().blobs().info(key).orElseThrow();
      assertThat(info.length() - info.first())
          .isBetween(Math.min(info.length(), 30_000), 30_000L + STEP);
    }
    int first = (int) fx().blobs().info(key).orElseThrow().first();
    assertThat(first).isGreaterThan(all.size() - 30_000 - STEP);
    assertLeft(key, all.toByteArray(), first);
  }

  @Test
  default void keepLast_isPartOfTheTransaction() throws SQLException {
    AppendOptions keep = AppendOptions.defaults().withKeepLast(10);
    Object key = fx().row(fx().content(1, LENGTH));
    Connection connection = fx().begin();
    BlobColumn inTransaction = fx().on(connection);
    inTransaction.append(key, fx().content(2, 300_000), keep);
    assertThat(inTransaction.info(key).orElseThrow().first()).isEqualTo(LENGTH + 300_000 - 10);
    connection.rollback();
    fx().assertContent(key, fx().content(1, LENGTH));
    Expect.refused(InvalidOffsetException.class, () -> AppendOptions.defaults().withKeepLast(-1));
  }

  @Test
  default void keepLast_ofSeveralThreads_keepsTheEnd() throws Exception {
    AppendOptions keep = AppendOptions.defaults().withKeepLast(20_000);
    Object key = fx().row();
    Wait.inThreads(
        4,
        t -> {
          for (int i = 0; i < 25; i++) {
            AppendResult where = fx().own().append(key, fx().content(i, 3000), keep);
            assertThat(where.end()).isPositive();
          }
        });
    BlobInfo info = fx().own().info(key).orElseThrow();
    assertThat(info.length()).isEqualTo(4 * 25 * 3000);
    assertThat(info.length() - info.first()).isBetween(20_000L, 20_000L + STEP);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  /** Each byte depends on its offset alone, so any wrong byte is found. */
  private static byte[] line(long offset, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      long at = offset + i;
      bytes[i] = (byte) (at * 31 + at / 251);
    }
    return bytes;
  }

  @Test
  default void readers_neverSeeWrongBytes_whileOthersAppendAndDiscard() throws Exception {
    Object key = fx().row(line(0, 100));
    AtomicBoolean done = new AtomicBoolean();
    Future<Integer> reader =
        Wait.start(
            () -> {
              Random random = new Random(1);
              int reads = 0;
              while (!done.get()) {
                BlobInfo info = fx().own().info(key).orElseThrow();
                long at = info.first() + random.nextInt((int) (info.length() - info.first()) + 1);
                int count = random.nextInt(30_000);
                try (BlobReader open = fx().own().open(key)) {
                  byte[] read = fx().own().read(key, at, count);
                  assertThat(read).isEqualTo(line(at, read.length));
                  byte[] bytes = new byte[20_000];
                  int got = Math.max(0, open.read(at, bytes, 0, bytes.length));
                  assertThat(Bytes.slice(bytes, 0, got)).isEqualTo(line(at, got));
                  reads++;
                } catch (DiscardedException e) {
                  assertThat(e.first()).isGreaterThan(at);
                }
              }
              return reads;
            });
    Future<Long> discarder =
        Wait.start(
            () -> {
              long first = 0;
              while (!done.get()) {
                long length = fx().own().length(key);
                first = fx().own().discardBefore(key, Math.max(0, length - 15_000));
              }
              return first;
            });
    try {
      long at = 100;
      for (int i = 0; i < 150; i++) {
        int count = i % 9 == 0 ? 11_000 : i % 4 == 0 ? 900 : 70;
        fx().own().append(key, line(at, count));
        at += count;
      }
    } finally {
      done.set(true);
    }
    assertThat(Wait.get(reader)).isPositive();
    assertThat(Wait.get(discarder)).isPositive();
    assertThat(fx().own().verify(key)).isEmpty();
  }
}
