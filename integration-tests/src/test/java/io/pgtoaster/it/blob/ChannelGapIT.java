package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.ChannelOptions;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes past the end of a channel. */
class ChannelGapIT {
  @TempDir Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void writeAfterTheEnd_fillsTheGapWithZeros(Setting setting) throws Exception {
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      Object key = fx.row(Bytes.random(1, 100));
      try (SeekableByteChannel channel = fx.blobs().channel(key)) {
        channel.position(3_000_000);
        assertThat(channel.write(ByteBuffer.wrap(new byte[0]))).isZero();
        assertThat(channel.size()).isEqualTo(100);
        assertThat(channel.write(ByteBuffer.wrap(Bytes.random(2, 50)))).isEqualTo(50);
        assertThat(channel.position()).isEqualTo(3_000_050);
        assertThat(channel.size()).isEqualTo(3_000_050);
      }
      byte[] expected = Arrays.copyOf(Bytes.random(1, 100), 3_000_050);
      System.arraycopy(Bytes.random(2, 50), 0, expected, 3_000_000, 50);
      fx.assertContent(key, expected);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void anySequenceOfCalls_worksLikeOnAFile(Setting setting) throws Exception {
    long seed = Long.getLong("pgtoaster.test.seed", 15);
    Random random = new Random(seed);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"));
        SeekableByteChannel channel = fx.blobs().channel(fx.row());
        FileChannel file =
            FileChannel.open(
                directory.resolve("model"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      for (int i = 0; i < 150; i++) {
        String step = "seed " + seed + ", step " + i;
        long at = random.nextInt(60_000);
        if (random.nextInt(6) == 0) {
          channel.truncate(at);
          file.truncate(at);
        } else if (random.nextBoolean()) {
          channel.position(at);
          file.position(at);
          byte[] bytes = Bytes.random(i, random.nextInt(9000));
          channel.write(ByteBuffer.wrap(bytes));
          file.write(ByteBuffer.wrap(bytes));
        }
        assertThat(channel.position()).as(step).isEqualTo(file.position());
        assertThat(channel.size()).as(step).isEqualTo(file.size());
        channel.position(at);
        file.position(at);
        ByteBuffer ours = ByteBuffer.allocate(5000);
        ByteBuffer theirs = ByteBuffer.allocate(5000);
        assertThat(channel.read(ours)).as(step).isEqualTo(file.read(theirs));
        assertThat(ours.array()).as(step).isEqualTo(theirs.array());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void gapBeyondTheLimit_isRefused_andNothingChanges(Setting setting) throws Exception {
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      Object key = fx.row(Bytes.random(1, 100));
      ChannelOptions tight = ChannelOptions.defaults().withMaxGap(10);
      try (SeekableByteChannel channel = fx.blobs().channel(key, tight)) {
        channel.position(111);
        assertThatThrownBy(() -> channel.write(ByteBuffer.wrap(new byte[1])))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("11 bytes beyond the end")
            .hasMessageContaining("maxGap");
        fx.assertContent(key, Bytes.random(1, 100));
        assertThat(channel.position(110).write(ByteBuffer.wrap(new byte[1]))).isEqualTo(1);
      }
      assertThatThrownBy(
              () -> fx.blobs().channel(key).position(1L << 40).write(ByteBuffer.wrap(new byte[1])))
          .isInstanceOf(IOException.class);
      fx.assertContent(key, Arrays.copyOf(Bytes.random(1, 100), 111));
    }
  }
}
