package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Sql;
import java.io.IOException;
import java.sql.Connection;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appends of a stream that commit part by part. */
public interface CommittingStreamContract extends Contract {
  @Test
  default void appendStream_commitsItsPieces() throws Exception {
    Object key = fx().row(fx().content(1, 500));
    byte[] more = fx().content(2, 40_000);
    try (BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(10_000))) {
      assertThat(stream.position()).isEqualTo(500);
      stream.write(more, 0, 9_000);
      assertThat(fx().own().length(key)).isEqualTo(500);
      assertThat(stream.pending()).isEqualTo(9_000);
      stream.write(more, 9_000, 20_000);
      assertThat(stream.position() + stream.pending()).isEqualTo(29_500);
      assertThat(stream.position()).isBetween(10_500L, 29_500L);
      assertThat(fx().own().length(key)).isBetween(stream.position(), 29_500L);
      stream.flush();
      assertThat(stream.position()).isEqualTo(29_500);
      assertThat(stream.pending()).isZero();
      assertThat(fx().own().length(key)).isEqualTo(29_500);
      stream.write(more, 29_000, 11_000);
    }
    fx().assertContent(key, Bytes.concat(fx().content(1, 500), more));
  }

  @Test
  default void appendStream_ofPiecesOfAnySize_isReadBack() throws Exception {
    Object key = fx().row();
    byte[] content = fx().content(2, 3_000_000);
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 3));
    try (BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(100_000))) {
      int at = 0;
      while (at < content.length) {
        int n =
            Math.min(
                content.length - at, 1 + random.nextInt(random.nextInt(20) == 0 ? 300_000 : 3000));
        if (n == 1) {
          stream.write(content[at]);
        } else {
          stream.write(content, at, n);
        }
        at += n;
      }
    }
    fx().assertContent(key, content);
  }

  @Test
  default void appendStream_withDefaults_isReadBack() throws Exception {
    Object key = fx().row();
    byte[] content = fx().content(2, 10_000_000);
    try (BlobAppendStream stream = fx().own().appendStream(key)) {
      stream.write(content);
      assertThat(stream.position()).isGreaterThanOrEqualTo(4 << 20);
    }
    fx().assertContent(key, content);
  }

  @Test
  default void appendStream_aborted_keepsOnlyWhatWasCommitted() throws Exception {
    Object key = fx().row();
    BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(10_000));
    stream.write(fx().content(1, 700));
    stream.flush();
    stream.write(fx().content(2, 5000));
    stream.abort();
    stream.close();
    fx().assertContent(key, fx().content(1, 700));
    assertThatThrownBy(() -> stream.write(1)).isInstanceOf(IOException.class);
  }

  @Test
  default void appendStream_whenClosed_throws() throws Exception {
    Object key = fx().row();
    BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(10_000));
    stream.write(fx().content(1, 700));
    stream.close();
    stream.close();
    assertThatThrownBy(() -> stream.write(1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> stream.write(new byte[5])).isInstanceOf(IOException.class);
    fx().assertContent(key, fx().content(1, 700));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 20_000})
  default void appendStream_afterAnotherAppend_conflicts(int between) throws Exception {
    Object key = fx().row();
    BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(10_000));
    stream.write(fx().content(1, 700));
    stream.flush();
    fx().own().append(key, fx().content(2, between));
    stream.write(fx().content(3, 300));
    OffsetConflictException e = Expect.conflict(700 + between, stream::flush);
    assertThat(e.expected()).isEqualTo(700);
    assertThat(e).hasMessageContaining("key " + key);
    assertThat(stream.position()).isEqualTo(700);
    assertThatThrownBy(() -> stream.write(1)).isInstanceOf(IOException.class).hasCause(e);
    stream.close();
    fx().assertContent(key, Bytes.concat(fx().content(1, 700), fx().content(2, between)));
  }

  @Test
  default void appendStream_atAWrongOffset_conflicts() throws Exception {
    Object key = fx().row(fx().content(1, 700));
    for (int more : new int[] {300, 30_000}) {
      Expect.conflict(
          700,
          () -> {
            try (BlobAppendStream stream =
                fx().own().appendStream(key, Options.commitEvery(10_000).withExpectedOffset(699))) {
              stream.write(fx().content(3, more));
            }
          });
    }
    fx().assertContent(key, fx().content(1, 700));
  }

  @Test
  default void appendStream_resumesAtTheLength() throws Exception {
    Object key = fx().row();
    byte[] content = fx().content(1, 50_000);
    BlobAppendStream broken = fx().own().appendStream(key, Options.commitEvery(10_000));
    broken.write(content, 0, 34_567);
    broken.abort();
    long length = fx().own().length(key);
    assertThat(length).isBetween(10_000L, 34_567L);
    try (BlobAppendStream stream =
        fx().own().appendStream(key, Options.commitEvery(10_000).withExpectedOffset(length))) {
      assertThat(stream.position()).isEqualTo(length);
      stream.write(content, (int) length, content.length - (int) length);
    }
    fx().assertContent(key, content);
  }

  @Test
  default void appendStream_toAnUnknownRow_isRefused() {
    Object key = fx().unknownKey();
    Expect.failed(
        RowNotFoundException.class,
        () -> {
          try (BlobAppendStream stream = fx().own().appendStream(key)) {
            stream.write(1);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 1, 1023, (64L << 20) + 1, Long.MAX_VALUE})
  default void appendStream_committingTooOftenOrTooRarely_isRefused(long commitEvery) {
    assertThatThrownBy(() -> Options.commitEvery(commitEvery)).isInstanceOf(RuntimeException.class);
  }

  @Test
  default void appendStream_toADeletedRow_failsWithAnIoException() throws Exception {
    for (int size : new int[] {0, 300}) {
      Object key = fx().row();
      BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(10_000));
      stream.write(fx().content(1, size));
      fx().run("DELETE FROM item" + fx().where(key));
      assertThatThrownBy(stream::close)
          .isInstanceOf(IOException.class)
          .hasCauseInstanceOf(RowNotFoundException.class);
    }
  }

  @Test
  default void appendStream_interruptedWithAFullBuffer_continuesByteByByte() throws Exception {
    Object key = fx().row(fx().content(1, 10));
    byte[] content = fx().content(2, 10_000);
    Connection holder = fx().begin();
    fx().on(holder).append(key, fx().content(3, 0));
    Sql.run(holder, "SELECT 1 FROM item" + fx().where(key) + " FOR UPDATE");
    if (fx().spec().hasStore()) {
      Sql.run(
          holder, "SELECT 1 FROM " + fx().table("head") + fx().headsBeside(key) + " FOR UPDATE");
    }
    try (BlobAppendStream stream = fx().own().appendStream(key, Options.commitEvery(1024))) {
      stream.write(content, 0, 1024);
      for (int i = 1024; i < 2047; i++) {
        stream.write(content[i]);
      }
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> stream.write(content[2047])).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
      holder.rollback();
      for (int i = 2048; i < content.length; i++) {
        stream.write(content[i]);
      }
    }
    fx().assertContent(key, Bytes.concat(fx().content(1, 10), content));
  }
}
