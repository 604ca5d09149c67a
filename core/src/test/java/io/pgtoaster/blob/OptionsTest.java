package io.pgtoaster.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.Compression;
import io.pgtoaster.error.InvalidOffsetException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void blobOptions_defaultsLeaveEverythingToTheServer() {
    assertThat(BlobOptions.defaults().toMap()).isEmpty();
  }

  @Test
  void blobOptions_haveTheCatalogsNames() {
    assertThat(
            BlobOptions.defaults()
                .withChunkSize(2000)
                .withTail(96)
                .withCrc32c(true)
                .withCompression(Compression.LZ4)
                .withLeadingKey("Tenant")
                .withKeyIndex("By_Number")
                .withNotifyFollowers(false)
                .toMap())
        .containsEntry("chunk_size", "2000")
        .containsEntry("tail", "96")
        .containsEntry("crc32c", "true")
        .containsEntry("compression", "lz4")
        .containsEntry("leading_key", "Tenant")
        .containsEntry("key", "By_Number")
        .containsEntry("notify", "false")
        .hasSize(7);
  }

  @Test
  void blobOptions_outOfRange_areRefused() {
    BlobOptions options = BlobOptions.defaults();
    assertThatIllegalArgumentException().isThrownBy(() -> options.withChunkSize(511));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withChunkSize((1 << 20) + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withTail(4001));
  }

  @Test
  void streamOptions_outOfRange_areRefused() {
    StreamOptions options = StreamOptions.defaults();
    assertThatIllegalArgumentException().isThrownBy(() -> options.withCommitEvery(1023));
    assertThatExceptionOfType(InvalidOffsetException.class)
        .isThrownBy(() -> options.withExpectedOffset(-1));
  }

  @Test
  void followOptions_outOfRange_areRefused() {
    FollowOptions options = FollowOptions.defaults();
    assertThatExceptionOfType(InvalidOffsetException.class).isThrownBy(() -> options.withFrom(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withPoll(Duration.ofMillis(5), Duration.ofMillis(4)));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withTimeout(Duration.ZERO));
  }

  @Test
  void newWriter_isACurrentUuidOfVersion7() {
    long before = System.currentTimeMillis();
    UUID writer = AppendToken.newWriter();
    assertThat(writer.version()).isEqualTo(7);
    assertThat(writer.variant()).isEqualTo(2);
    assertThat(writer.getMostSignificantBits() >>> 16)
        .isBetween(before, System.currentTimeMillis());
    assertThat(writer).isNotEqualTo(AppendToken.newWriter());
  }

  @Test
  void token_withoutASequence_isRefused() {
    UUID writer = AppendToken.newWriter();
    assertThatIllegalArgumentException().isThrownBy(() -> new AppendToken(writer, 0));
    assertThat(new AppendToken(writer, 1).next()).isEqualTo(new AppendToken(writer, 2));
  }

  @Test
  void negativeOrOverflowingRange_isRefused() {
    assertThatExceptionOfType(InvalidOffsetException.class)
        .isThrownBy(() -> Arguments.range(-1, 1));
    assertThatExceptionOfType(InvalidOffsetException.class)
        .isThrownBy(() -> Arguments.range(1, -1));
    assertThatExceptionOfType(InvalidOffsetException.class)
        .isThrownBy(() -> Arguments.range(1, Long.MAX_VALUE));
    Arguments.range(0, Long.MAX_VALUE);
  }
}
