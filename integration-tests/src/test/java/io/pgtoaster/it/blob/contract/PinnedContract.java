package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.Savepoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An open reader sees the content that it opened, or fails. */
public interface PinnedContract extends Contract {
  /** Changes that invalidate the pinned content. */
  enum Change {
    WRITE {
      @Override
      void apply(BlobColumn blobs, Object key, byte[] bytes) {
        blobs.write(key, 3, bytes);
      }
    },
    WRITE_IN_THE_TAIL {
      @Override
      void apply(BlobColumn blobs, Object key, byte[] bytes) {
        blobs.write(key, blobs.length(key) - 1, bytes);
      }
    },
    REPLACE {
      @Override
      void apply(BlobColumn blobs, Object key, byte[] bytes) {
        blobs.replace(key, bytes);
      }
    },
    TRUNCATE {
      @Override
      void apply(BlobColumn blobs, Object key, byte[] bytes) {
        blobs.truncate(key, 3);
      }
    },
    TRUNCATE_AND_APPEND {
      @Override
      void apply(BlobColumn blobs, Object key, byte[] bytes) {
        long length = blobs.length(key);
        blobs.truncate(key, length - 1);
        blobs.append(key, bytes);
      }
    },
    DELETE {
      @Override
      void apply(BlobColumn blobs, Object key, byte[] bytes) {
        blobs.delete(key);
      }
    };

    abstract void apply(BlobColumn blobs, Object key, byte[] bytes);
  }

  /** Stores full chunks, pieces and a tail. */
  private Object stored() {
    byte[] content = fx().content(1, 30_000);
    Object key = fx().row(Bytes.slice(content, 0, 25_000));
    for (int at = 25_000; at < 30_000; at += 500) {
      fx().own().append(key, Bytes.slice(content, at, 500));
    }
    return key;
  }

  private static byte[] all(BlobReader reader) {
    byte[] bytes = new byte[(int) reader.length()];
    int at = 0;
    while (at < bytes.length) {
      at += reader.read(at, bytes, at, Math.min(4096, bytes.length - at));
    }
    return bytes;
  }

  @Test
  default void reader_whileOthersAppendCompactAndSeal_seesExactlyWhatItOpened() throws Exception {
    Object key = stored();
    byte[] expected = fx().content(1, 30_000);
    try (BlobReader reader = fx().blobs().open(key);
        InputStream in = fx().blobs().inputStream(key)) {
      byte[] begun = in.readNBytes(10);
      for (int i = 0; i < 40; i++) {
        fx().own().append(key, fx().content(i, 999));
        if (i % 5 == 0) {
          fx().own().compact(key);
        }
        assertThat(all(reader)).isEqualTo(expected);
      }
      fx().own().seal(key);
      fx().own().compact(key);
      assertThat(all(reader)).isEqualTo(expected);
      assertThat(Bytes.concat(begun, in.readAllBytes())).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  default void reader_whenTheContentChanges_fails(Change change) {
    Object key = stored();
    try (BlobReader reader = fx().blobs().open(key)) {
      assertThat(reader.read(0, new byte[10], 0, 10)).isEqualTo(10);
      change.apply(fx().own(), key, fx().content(9, 50));
      byte[] buffer = new byte[30_000];
      Expect.refused(BlobChangedException.class, () -> reader.read(0, buffer, 0, 10));
      Expect.refused(BlobChangedException.class, () -> reader.read(8095, buffer, 0, 10));
      Expect.refused(BlobChangedException.class, () -> reader.read(29_990, buffer, 0, 10));
      Expect.refused(BlobChangedException.class, () -> reader.read(0, buffer, 0, 30_000));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void inputStream_whenTheContentChanges_failsOrReturnsTheOldBytes(Change change)
      throws Exception {
    byte[] content = fx().content(1, 9_000_000);
    Object key = fx().row(content);
    try (InputStream in = fx().blobs().inputStream(key)) {
      assertThat(in.readNBytes(100)).isEqualTo(Bytes.slice(content, 0, 100));
      change.apply(fx().own(), key, fx().content(9, 50));
      Expect.failed(BlobChangedException.class, in::readAllBytes);
    }
  }

  @Test
  default void reader_ofADeletedRow_fails() {
    Object key = stored();
    try (BlobReader reader = fx().blobs().open(key)) {
      fx().run("DELETE FROM item" + fx().where(key));
      Expect.refused(BlobChangedException.class, () -> reader.read(0, new byte[10], 0, 10));
    }
  }

  @Test
  default void reader_underRepeatableRead_keepsItsSnapshot() throws Exception {
    for (Change change : Change.values()) {
      Object key = stored();
      Connection connection = fx().begin(Connection.TRANSACTION_REPEATABLE_READ);
      try (BlobReader reader = fx().on(connection).open(key)) {
        change.apply(fx().own(), key, fx().content(9, 50));
        fx().own().append(key, fx().content(8, 20_000));
        assertThat(all(reader)).as("after %s", change).isEqualTo(fx().content(1, 30_000));
      }
      connection.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 1012, 30_000})
  default void reader_overUncommittedBytes_failsAfterTheirRollback(int more) throws Exception {
    Object key = stored();
    Connection connection = fx().begin();
    BlobColumn blobs = fx().on(connection);
    blobs.append(key, fx().content(2, more));
    try (BlobReader reader = blobs.open(key)) {
      assertThat(all(reader))
          .isEqualTo(Bytes.concat(fx().content(1, 30_000), fx().content(2, more)));
      connection.rollback();
      Expect.refused(
          BlobChangedException.class, () -> reader.read(30_000, new byte[more], 0, more));
    }
    fx().assertContent(key, fx().content(1, 30_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 1012, 30_000})
  default void reader_overUncommittedBytes_failsAfterARollbackToTheirSavepoint(int more)
      throws Exception {
    Object key = stored();
    Connection connection = fx().begin();
    BlobColumn blobs = fx().on(connection);
    Savepoint savepoint = connection.setSavepoint();
    blobs.append(key, fx().content(2, more));
    try (BlobReader reader = blobs.open(key)) {
      connection.rollback(savepoint);
      Expect.refused(
          BlobChangedException.class, () -> reader.read(30_000, new byte[more], 0, more));
      connection.commit();
    }
    fx().assertContent(key, fx().content(1, 30_000));
  }

  @Test
  default void reader_ofUncommittedContent_failsAfterItsRollback() throws Exception {
    Object key = fx().row();
    Connection connection = fx().begin();
    BlobColumn blobs = fx().on(connection);
    blobs.append(key, fx().content(2, 100));
    try (BlobReader reader = blobs.open(key)) {
      connection.rollback();
      Expect.refused(BlobChangedException.class, () -> reader.read(0, new byte[10], 0, 10));
    }
    assertThat(fx().own().info(key)).isEmpty();
  }

  @Test
  default void generation_isIncrementedOnlyByOverwrites() {
    Object key = stored();
    long first = fx().own().info(key).orElseThrow().generation();
    fx().own().append(key, fx().content(2, 9000));
    fx().own().compact(key);
    assertThat(fx().own().info(key).orElseThrow().generation()).isEqualTo(first);
    long last = first;
    for (Change change :
        new Change[] {Change.WRITE, Change.REPLACE, Change.TRUNCATE, Change.WRITE_IN_THE_TAIL}) {
      change.apply(fx().own(), key, fx().content(9, 50));
      long now = fx().own().info(key).orElseThrow().generation();
      assertThat(now).as("after %s", change).isGreaterThan(last);
      last = now;
    }
  }
}
