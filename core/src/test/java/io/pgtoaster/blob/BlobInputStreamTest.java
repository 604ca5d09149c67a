package io.pgtoaster.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.pgtoaster.error.BlobChangedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobInputStreamTest {
  private static final int LENGTH = 5_000_001;
  private static final byte[] CONTENT = content();

  private static byte[] content() {
    byte[] bytes = new byte[LENGTH];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  /** Returns a range in arrays of odd lengths. */
  private static byte[][] parts(long offset, int count) {
    List<byte[]> parts = new ArrayList<>();
    int end = (int) offset + count;
    for (int at = (int) offset; at < end; at += parts.get(parts.size() - 1).length) {
      int length = Math.min(end - at, 1 + at % 8_101);
      parts.add(Arrays.copyOfRange(CONTENT, at, at + length));
    }
    return parts.toArray(byte[][]::new);
  }

  private static BlobInputStream open(boolean ahead) {
    return open(ahead, 0);
  }

  private static BlobInputStream open(boolean ahead, int first) {
    return new BlobInputStream(
        BlobInputStreamTest::parts, 0, LENGTH, Arrays.copyOf(CONTENT, first), ahead, () -> {});
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anySequenceOfReadsAndSkips_returnsTheContent(boolean ahead) throws IOException {
    long seed = Long.getLong("pgtoaster.test.seed", 20_261_120);
    Random random = new Random(seed);
    byte[] buffer = new byte[3_000_000];
    try (BlobInputStream in = open(ahead, random.nextInt(25_000))) {
      int position = 0;
      while (true) {
        if (random.nextInt(5) == 0) {
          position += (int) in.skip(random.nextInt(400_000) - 10);
        }
        int wanted = 1 + random.nextInt(random.nextInt(8) == 0 ? buffer.length - 1 : 300_000);
        int count = random.nextBoolean() ? in.read(buffer, 0, wanted) : one(in, buffer);
        if (count < 0) {
          break;
        }
        assertThat(Arrays.equals(buffer, 0, count, CONTENT, position, position + count))
            .as("seed %d, position %d", seed, position)
            .isTrue();
        position += count;
      }
      assertThat(position).as("seed %d", seed).isEqualTo(LENGTH);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reset_returnsToTheMark_withinAndAfterTheWindow(boolean ahead) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] buffer = new byte[3_000_000];
    try (BlobInputStream in = open(ahead, random.nextInt(25_000))) {
      assertThat(in.markSupported()).isTrue();
      assertThatIOException().isThrownBy(in::reset).withMessageContaining("marked");
      int position = 0;
      int marked = -1;
      for (int i = 0; i < 500; i++) {
        if (random.nextInt(4) == 0) {
          in.mark(1);
          marked = position;
        } else if (marked >= 0 && (position == LENGTH || random.nextInt(4) == 0)) {
          in.reset();
          position = marked;
        } else if (random.nextInt(8) == 0) {
          position += (int) in.skip(random.nextInt(2_000_000));
        }
        int count = Math.max(0, in.read(buffer, 0, 1 + random.nextInt(buffer.length - 1)));
        assertThat(Arrays.equals(buffer, 0, count, CONTENT, position, position + count))
            .as("seed %d, position %d", seed, position)
            .isTrue();
        position += count;
      }
    }
  }

  @Test
  void skipToTheEndOfTheWindow_keepsTheWindow() throws IOException {
    AtomicInteger fetches = new AtomicInteger();
    BlobInputStream.Source source =
        (offset, count) -> {
          fetches.incrementAndGet();
          return parts(offset, count);
        };
    try (BlobInputStream in =
        new BlobInputStream(source, 0, 1_000, BlobInputStream.NOTHING, false, () -> {})) {
      int first = in.read();
      in.mark(1);
      assertThat(in.skip(999)).isEqualTo(999);
      assertThat(in.skip(1)).isZero();
      assertThat(in.read()).isEqualTo(-1);
      in.reset();
      assertThat(in.read()).isEqualTo(CONTENT[1] & 0xFF);
      assertThat(first).isEqualTo(CONTENT[0] & 0xFF);
      assertThat(fetches).hasValue(1);
    }
  }

  private static int one(BlobInputStream in, byte[] buffer) throws IOException {
    int b = in.read();
    buffer[0] = (byte) b;
    return b < 0 ? -1 : 1;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readAllBytesAndTransferTo_returnTheContent(boolean ahead) throws IOException {
    try (BlobInputStream in = open(ahead)) {
      assertThat(in.readAllBytes()).isEqualTo(CONTENT);
      assertThat(in.readAllBytes()).isEmpty();
    }
    try (BlobInputStream in = open(ahead)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertThat(in.transferTo(out)).isEqualTo(LENGTH);
      assertThat(out.toByteArray()).isEqualTo(CONTENT);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void errorOfTheSource_isReportedAsAnIoException(boolean ahead) throws IOException {
    AtomicInteger fetches = new AtomicInteger();
    try (BlobInputStream in =
        new BlobInputStream(
            (offset, count) -> {
              if (fetches.incrementAndGet() == 3) {
                throw new BlobChangedException("changed");
              }
              return parts(offset, count);
            },
            0,
            LENGTH,
            BlobInputStream.NOTHING,
            ahead,
            () -> {})) {
      assertThatIOException()
          .isThrownBy(in::readAllBytes)
          .withCauseInstanceOf(BlobChangedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closedStream_throws(boolean ahead) throws IOException {
    BlobInputStream in = open(ahead);
    assertThat(in.read()).isNotNegative();
    in.close();
    in.close();
    assertThatIOException().isThrownBy(in::read);
    assertThatIOException().isThrownBy(() -> in.skip(1));
    assertThatIOException().isThrownBy(in::available);
    assertThatIOException().isThrownBy(in::reset);
    assertThatIOException().isThrownBy(in::readAllBytes);
  }
}
