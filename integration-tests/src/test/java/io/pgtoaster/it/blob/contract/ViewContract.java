package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.ChannelOptions;
import io.pgtoaster.it.kit.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Content as types of the JDK. */
public interface ViewContract extends Contract {
  @Test
  default void inputStream_returnsEverythingInPiecesOfAnySize() throws Exception {
    byte[] content = fx().content(1, 3_500_000);
    Object key = fx().row(content);
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 5));
    try (InputStream in = fx().blobs().inputStream(key)) {
      int at = 0;
      byte[] buffer = new byte[300_000];
      while (at < content.length) {
        if (random.nextInt(5) == 0) {
          assertThat(in.read()).isEqualTo(content[at++] & 0xFF);
        } else if (random.nextInt(5) == 0) {
          at += (int) in.skip(random.nextInt(50_000));
        } else {
          int n = in.read(buffer, 7, 1 + random.nextInt(buffer.length - 7));
          assertThat(n).isPositive();
          assertThat(Bytes.slice(buffer, 7, n)).isEqualTo(Bytes.slice(content, at, n));
          at += n;
        }
      }
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.read(buffer, 0, 10)).isEqualTo(-1);
      assertThat(in.read(buffer, 0, 0)).isZero();
    }
  }

  @Test
  default void inputStream_ofARange_returnsExactlyThoseBytes() throws Exception {
    byte[] content = fx().content(1, 2_000_000);
    Object key = fx().row(content);
    for (int[] range :
        new int[][] {{0, 0}, {0, 1}, {8099, 3}, {5, 1_500_000}, {1_999_999, 1}, {2_000_000, 0}}) {
      try (InputStream in = fx().blobs().inputStream(key, range[0], range[1])) {
        assertThat(in.readAllBytes()).isEqualTo(Bytes.slice(content, range[0], range[1]));
      }
    }
    try (InputStream in = fx().blobs().inputStream(key, 1_000_000, 1L << 40)) {
      assertThat(in.readAllBytes()).isEqualTo(Bytes.slice(content, 1_000_000, 1_000_000));
    }
  }

  @Test
  default void inputStream_whenClosed_throws() throws Exception {
    Object key = fx().row(fx().content(1, 100));
    InputStream in = fx().blobs().inputStream(key);
    assertThat(in.read()).isNotNegative();
    in.close();
    in.close();
    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.read(new byte[5])).isInstanceOf(IOException.class);
  }

  @Test
  default void channel_readsAndWritesAtItsPosition() throws Exception {
    Object key = fx().row(fx().content(1, 20_000));
    byte[] model = fx().content(1, 20_000);
    try (SeekableByteChannel channel = fx().blobs().channel(key)) {
      assertThat(channel.isOpen()).isTrue();
      assertThat(channel.size()).isEqualTo(20_000);
      assertThat(channel.position()).isZero();
      channel.position(8090);
      ByteBuffer buffer = ByteBuffer.allocate(100);
      while (buffer.hasRemaining()) {
        assertThat(channel.read(buffer)).isPositive();
      }
      assertThat(buffer.array()).isEqualTo(Bytes.slice(model, 8090, 100));
      assertThat(channel.position()).isEqualTo(8190);

      byte[] more = fx().content(2, 300);
      assertThat(channel.position(19_900).write(ByteBuffer.wrap(more))).isEqualTo(300);
      assertThat(channel.position()).isEqualTo(20_200);
      assertThat(channel.size()).isEqualTo(20_200);
      model = Bytes.concat(Bytes.slice(model, 0, 19_900), more);
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);

      channel.truncate(30_000);
      assertThat(channel.size()).isEqualTo(20_200);
      channel.truncate(8100);
      assertThat(channel.size()).isEqualTo(8100);
      assertThat(channel.position()).isEqualTo(8100);
      model = Bytes.slice(model, 0, 8100);
    }
    fx().assertContent(key, model);
  }

  @Test
  default void channel_refusesGaps_andUseAfterClose() throws Exception {
    Object key = fx().row(fx().content(1, 100));
    SeekableByteChannel channel =
        fx().blobs().channel(key, ChannelOptions.defaults().withMaxGap(0));
    assertThatThrownBy(() -> channel.position(-1)).isInstanceOf(IllegalArgumentException.class);
    channel.position(200);
    assertThat(channel.read(ByteBuffer.allocate(5))).isEqualTo(-1);
    assertThatThrownBy(() -> channel.write(ByteBuffer.wrap(new byte[] {65})))
        .isInstanceOf(IOException.class);
    channel.close();
    assertThat(channel.isOpen()).isFalse();
    assertThatThrownBy(channel::size).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(5)))
        .isInstanceOf(ClosedChannelException.class);
    fx().assertContent(key, fx().content(1, 100));
  }

  @Test
  default void sqlBlob_countsFromOneAndReadsRanges() throws Exception {
    byte[] content = fx().content(1, 20_000);
    Object key = fx().row(content);
    Blob blob = fx().blobs().sqlBlob(key);
    assertThat(blob.length()).isEqualTo(20_000);
    assertThat(blob.getBytes(1, 10)).isEqualTo(Bytes.slice(content, 0, 10));
    assertThat(blob.getBytes(8100, 5)).isEqualTo(Bytes.slice(content, 8099, 5));
    assertThat(blob.getBytes(19_999, 10)).isEqualTo(Bytes.slice(content, 19_998, 2));
    try (InputStream in = blob.getBinaryStream()) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
    try (InputStream in = blob.getBinaryStream(101, 9000)) {
      assertThat(in.readAllBytes()).isEqualTo(Bytes.slice(content, 100, 9000));
    }
    assertThatThrownBy(() -> blob.getBytes(0, 10)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> blob.getBytes(1, -1)).isInstanceOf(SQLException.class);
    assertThat(blob.position(Bytes.slice(content, 8095, 20), 1)).isEqualTo(8096);
    assertThat(blob.position(Bytes.slice(content, 8095, 20), 8097)).isEqualTo(-1);
    blob.free();
    assertThatThrownBy(blob::length).isInstanceOf(SQLException.class);
  }

  @Test
  default void sqlBlob_writesAndTruncates() throws Exception {
    Object key = fx().row(fx().content(1, 9000));
    byte[] change = fx().content(2, 200);
    Blob blob = fx().blobs().sqlBlob(key);
    assertThat(blob.setBytes(8001, change)).isEqualTo(200);
    assertThat(blob.setBytes(9001, change, 50, 100)).isEqualTo(100);
    blob.truncate(9050);
    blob.free();
    byte[] content = fx().content(1, 9000);
    fx().assertContent(
            key,
            Bytes.concat(
                Bytes.slice(content, 0, 8000),
                change,
                Bytes.slice(content, 8200, 800),
                Bytes.slice(change, 50, 50)));
  }

  @Test
  default void channel_atAndBeyondTheEnd_readsNothing() throws Exception {
    Object key = fx().row(fx().content(1, 100));
    try (SeekableByteChannel channel = fx().own().channel(key)) {
      for (long position : new long[] {100, 101, 1L << 40, Long.MAX_VALUE}) {
        channel.position(position);
        for (int size : new int[] {0, 1, 5000, 100_000, 2_000_000}) {
          assertThat(channel.read(ByteBuffer.allocate(size))).isEqualTo(-1);
        }
      }
      assertThat(channel.position(5).read(ByteBuffer.allocate(0))).isZero();
    }
  }
}
