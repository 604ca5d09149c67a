package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counts at the socket the messages of an append or another change in autocommit mode, with
 * prepared statements and without, as through a pooler.
 */
@ParameterizedClass(name = "{0}, prepared: {1}")
@MethodSource("settings")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoundTripsIT {
  /** The number of appends that come first, so that statements are prepared and chunks exist. */
  private static final int BEFORE = 11;

  private static final int COUNTED = 7;

  @Parameter(0)
  Setting setting;

  @Parameter(1)
  boolean prepared;

  private Fixture fx;
  private Cuts cuts;
  private Connection connection;
  private BlobColumn blobs;

  static Stream<Arguments> settings() {
    return Setting.newestByBoth().stream()
        .flatMap(setting -> Stream.of(true, false).map(p -> Arguments.of(setting, p)));
  }

  @BeforeEach
  void open() throws Exception {
    if (fx == null) {
      fx = new Fixture(setting, ColumnSpec.appendable("{}"));
    }
    cuts = new Cuts(fx.database());
    connection = cuts.connect(prepared);
    blobs = PgToaster.on(connection).blobs(Fixture.TABLE, Fixture.COLUMN);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    cuts.close();
  }

  @AfterParameterizedClassInvocation
  void closeFixture() {
    fx.close();
    fx = null;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 400, 1_000, 1_012, 4_000, 10_000, 50_000, 262_144})
  void append_isOneMessage(int size) {
    Object key = fx.row();
    byte[] content = Bytes.random(1, size * (BEFORE + COUNTED));
    for (int i = 0; i < BEFORE + COUNTED; i++) {
      byte[] next = Bytes.slice(content, i * size, size);
      if (i < BEFORE) {
        blobs.append(key, next);
      } else {
        cuts.allow(1, () -> blobs.append(key, next));
      }
    }
    fx.assertContent(key, content);
  }

  @Test
  void manyRows_areOneMessage() {
    Map<Object, byte[]> batch = new LinkedHashMap<>();
    for (int i = 0; i < 200; i++) {
      batch.put(fx.row(Bytes.random(i, 5_000)), Bytes.random(i, 100 + i));
    }
    for (int i = 0; i < BEFORE; i++) {
      blobs.appendAll(batch);
      blobs.readAll(batch.keySet(), 4_000, 2_000);
      blobs.lengths(batch.keySet());
    }
    cuts.allow(1, () -> blobs.appendAll(batch));
    cuts.allow(1, () -> blobs.readAll(batch.keySet(), 4_000, 2_000));
    cuts.allow(1, () -> blobs.lengths(batch.keySet()));
  }

  @Test
  void append_atAnOffsetWithAToken_isOneMessage() {
    Object key = fx.row();
    byte[] content = Bytes.random(2, 3_000 * (BEFORE + COUNTED));
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    for (int i = 0; i < BEFORE + COUNTED; i++) {
      byte[] next = Bytes.slice(content, i * 3_000, 3_000);
      AppendOptions options =
          AppendOptions.defaults().withExpectedOffset(i * 3_000L).withToken(token);
      token = token.next();
      if (i < BEFORE) {
        blobs.append(key, next, options);
      } else {
        cuts.allow(1, () -> blobs.append(key, next, options));
        assertThat(blobs.append(key, next, options).repeated()).isTrue();
      }
    }
    fx.assertContent(key, content);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8_000, 16_000, 16_300, 18_500, 19_000})
  void read_inChunksPiecesAndTail_isOneMessage(int offset) {
    byte[] content = Bytes.random(3, 19_400);
    Object key = fx.row(Bytes.slice(content, 0, 16_200));
    for (int at = 16_200; at < content.length; at += 400) {
      blobs.append(key, Bytes.slice(content, at, 400));
    }
    int count = Math.min(4_096, content.length - offset);
    for (int i = 0; i < BEFORE; i++) {
      blobs.read(key, offset, 4_096);
    }
    cuts.allow(
        1,
        () ->
            assertThat(blobs.read(key, offset, 4_096))
                .isEqualTo(Bytes.slice(content, offset, count)));
  }

  /**
   * The first bytes are returned with the row. All others, up to 2 MB, are returned with the second
   * message.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 400, 20_000, 1_000_000})
  void stream_isOneMessage_orTwo(int size) {
    byte[] content = Bytes.random(3, size);
    Object key = fx.row(content);
    for (int i = 0; i < BEFORE; i++) {
      assertThat(bytes(key)).isEqualTo(content);
    }
    cuts.allow(size < 24_000 ? 1 : 2, () -> assertThat(bytes(key)).isEqualTo(content));
  }

  private byte[] bytes(Object key) {
    try (InputStream in = blobs.inputStream(key)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 10_000, 200_000})
  void writeAndTruncate_areOneMessage(int size) {
    byte[] content = Bytes.random(4, 300_000);
    Object key = fx.row(content);
    byte[] change = Bytes.random(5, size);
    for (int i = 0; i < BEFORE + COUNTED; i++) {
      long at = 90_000 + i * 5_555L;
      long length = 290_000 - i * 11L;
      if (i < BEFORE) {
        blobs.write(key, at, change);
        blobs.truncate(key, length);
      } else {
        cuts.allow(1, () -> blobs.write(key, at, change));
        cuts.allow(1, () -> blobs.truncate(key, length));
      }
      System.arraycopy(change, 0, content, (int) at, (int) Math.min(size, length - at));
    }
    int left = 290_000 - (BEFORE + COUNTED - 1) * 11;
    fx.assertContent(key, Bytes.slice(content, 0, left));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000, 10_000, 262_144})
  void copy_isOneMessage(int size) {
    byte[] content = Bytes.random(5, size);
    Object key = fx.row(content);
    for (int i = 0; i < BEFORE; i++) {
      blobs.copy(key, fx.row());
    }
    Object copy = fx.row();
    cuts.allow(1, () -> blobs.copy(key, copy));
    fx.assertContent(copy, content);
  }

  @Test
  void seal_isOneMessage() {
    for (int i = 0; i < BEFORE; i++) {
      blobs.seal(fx.row(new byte[100]));
    }
    for (int size : new int[] {0, 100, 3_000, 30_000}) {
      Object key = fx.row(Bytes.random(6, size));
      cuts.allow(1, () -> blobs.seal(key));
      assertThat(blobs.info(key).orElseThrow().sealed()).isTrue();
      fx.assertContent(key, Bytes.random(6, size));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 30_000})
  void firstAppend_isOneMessage(int size) {
    byte[] content = Bytes.random(3, size);
    for (int i = 0; i < BEFORE; i++) {
      blobs.append(fx.row(), content);
    }
    Object key = fx.row();
    cuts.allow(1, () -> blobs.append(key, content));
    fx.assertContent(key, content);
  }
}
