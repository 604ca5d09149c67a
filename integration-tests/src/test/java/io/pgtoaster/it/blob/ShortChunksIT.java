package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Appends of at least a quarter of a chunk. Their last bytes become a shorter chunk. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class ShortChunksIT {
  private static final int SEED = Integer.getInteger("pgtoaster.test.seed", 1);

  @Parameter Setting setting;

  @AutoClose private Fixture fx;

  @BeforeEach
  void open() {
    fx = new Fixture(setting, ColumnSpec.appendable("{}"));
  }

  private long number(String expression, String part, Object key) {
    return fx.number(
        "SELECT %s FROM %s WHERE %s = %d"
            .formatted(
                expression,
                fx.table(part),
                part.equals("head") ? "id" : "blob_id",
                fx.handle(key)));
  }

  /** Appends the content in parts of this size. */
  private Object appended(byte[] content, int size) {
    Object key = fx.row(new byte[0]);
    for (int at = 0; at < content.length; at += size) {
      fx.own().append(key, Bytes.slice(content, at, Math.min(size, content.length - at)));
    }
    return key;
  }

  @ParameterizedTest
  @ValueSource(ints = {2_025, 4_000, 4_001, 4_096, 8_099, 8_101, 10_000, 50_000})
  void append_ofAQuarterOfAChunk_isWrittenOnce(int size) {
    byte[] content = Bytes.random(size, 12 * size);
    Object key = appended(content, size);
    fx.assertContent(key, content);
    assertThat(fx.own().verify(key)).isEmpty();
    // Only a few bytes remain in the tail or in a piece, and will be written again.
    assertThat(number("coalesce(sum(octet_length(data)), 0)", "piece", key))
        .isLessThanOrEqualTo(Bytes.CHUNK / 4);
    assertThat(number("sum(octet_length(data))", "chunk", key))
        .isGreaterThan(content.length - Bytes.CHUNK / 4 - Bytes.TAIL);
    assertThat(number("count(*)", "chunk", key))
        .isLessThanOrEqualTo(12 * (size / Bytes.CHUNK + 1) + 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {4_100, 5_000, 6_000})
  void append_ofMoreThanHalfAChunk_leavesNoHalfEmptyPage(int size) {
    byte[] content = Bytes.random(size, 40 * size);
    Object key = appended(content, size);
    fx.assertContent(key, content);
    fx.run("VACUUM " + fx.table("chunk"));
    assertThat(fx.number("SELECT pg_relation_size('" + fx.table("chunk") + "')"))
        .isLessThan(content.length * 5L / 4);
  }

  @Test
  void smallAppendsAfterLargeOnes_continueTheirContent() {
    Random random = new Random(SEED);
    byte[] content = new byte[0];
    Object key = fx.row(content);
    for (int i = 0; i < 60; i++) {
      byte[] next =
          Bytes.random(i, random.nextBoolean() ? random.nextInt(1_500) : random.nextInt(20_000));
      fx.own().append(key, next);
      content = Bytes.concat(content, next);
    }
    fx.assertContent(key, content);
    assertThat(fx.own().verify(key)).isEmpty();
    for (int i = 0; i < 200; i++) {
      int from = random.nextInt(content.length);
      int count = random.nextInt(Math.min(20_000, content.length - from));
      assertThat(fx.own().read(key, from, count)).isEqualTo(Bytes.slice(content, from, count));
    }
  }

  @Test
  void writeAndTruncate_acrossShortChunks_changeOnlyThoseBytes() {
    Random random = new Random(SEED);
    byte[] content = Bytes.random(1, 120_000);
    Object key = appended(content, 4_321);
    BlobColumn blobs = fx.own();
    for (int i = 0; i < 40; i++) {
      int from = random.nextInt(content.length);
      byte[] over = Bytes.random(i, Math.min(random.nextInt(30_000), content.length - from));
      blobs.write(key, from, over);
      System.arraycopy(over, 0, content, from, over.length);
      if (i % 4 == 3) {
        content = Arrays.copyOf(content, content.length - random.nextInt(9_000));
        blobs.truncate(key, content.length);
        byte[] more = Bytes.random(100 + i, 3_000 + random.nextInt(9_000));
        blobs.append(key, more);
        content = Bytes.concat(content, more);
      }
      assertThat(blobs.read(key, 0, content.length)).isEqualTo(content);
    }
    assertThat(blobs.verify(key)).isEmpty();
  }

  @Test
  void truncate_toTheStartOfAChunk_keepsTheChunksBeforeIt() {
    byte[] content = Bytes.random(1, 40_000);
    Object key = appended(content, 4_000);
    fx.own().truncate(key, 8_000);
    fx.assertContent(key, Arrays.copyOf(content, 8_000));
    assertThat(number("count(*)", "chunk", key)).isEqualTo(2);
    fx.own().truncate(key, 0);
    fx.assertContent(key, new byte[0]);
    assertThat(number("count(*)", "chunk", key)).isZero();
  }

  @Test
  void compact_makesFullChunks_andOpenReadersContinue() {
    byte[] content = Bytes.random(1, 300_000);
    Object key = appended(content, 2_100);
    long before = number("count(*)", "chunk", key);
    byte[] seen = new byte[content.length];
    try (BlobReader reader = fx.own().open(key)) {
      reader.read(0, seen, 0, 50_000);
      assertThat(fx.own().compact(key)).isPositive();
      reader.read(50_000, seen, 50_000, seen.length - 50_000);
    }
    assertThat(seen).isEqualTo(content);
    assertThat(before).isGreaterThan(140);
    assertThat(number("count(*)", "chunk", key)).isEqualTo(content.length / Bytes.CHUNK);
    assertThat(number("min(octet_length(data))", "chunk", key)).isEqualTo(Bytes.CHUNK);
    assertThat(fx.own().compact(key)).isZero();
    assertThat(fx.own().verify(key)).isEmpty();
    fx.own().append(key, Bytes.random(2, 10_000));
    fx.assertContent(key, Bytes.concat(content, Bytes.random(2, 10_000)));
  }

  @Test
  void compact_doesNotRewriteALargeBlobForOneShortChunk() {
    byte[] content = Bytes.random(1, 500_000);
    Object key = appended(Bytes.slice(content, 0, 4_000), 4_000);
    fx.own().append(key, Bytes.slice(content, 4_000, content.length - 4_000));
    long before = number("count(*)", "chunk", key);
    fx.own().compact(key);
    assertThat(number("min(start) FILTER (WHERE octet_length(data) = 4000)", "chunk", key))
        .isZero();
    assertThat(number("count(*)", "chunk", key)).isEqualTo(before);
    fx.assertContent(key, content);
  }

  @Test
  void copy_keepsShortChunks() {
    // Shorter content is copied by one statement, which fills the chunks.
    byte[] content = Bytes.random(1, 1_200_000);
    Object key = appended(content, 4_096);
    Object copy = fx.row();
    fx.own().copy(key, copy);
    fx.assertContent(copy, content);
    assertThat(number("count(*)", "chunk", copy)).isEqualTo(number("count(*)", "chunk", key));
    assertThat(fx.own().verify(copy)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "start = start + 1",
        "start = start - 1",
        "data = data || data || data || data",
        "data = substring(data FROM 2)"
      })
  void verify_findsAChunkThatDoesNotStartWhereThePreviousOneEnds(String damage) {
    byte[] content = Bytes.random(1, 40_000);
    Object key = appended(content, 4_000);
    fx.run(
        "UPDATE %s SET %s WHERE blob_id = %d AND start = 12000"
            .formatted(fx.table("chunk"), damage, fx.handle(key)));
    assertThat(fx.own().verify(key)).isNotEmpty();
    Expect.refused(BlobCorruptException.class, () -> fx.own().read(key, 11_000, 6_000));
    Expect.refused(BlobCorruptException.class, () -> fx.own().write(key, 11_000, new byte[6_000]));
  }
}
