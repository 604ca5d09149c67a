package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Appends that end exactly with a batch of inserts (64 statements with 32 chunks each). */
class ChunkBatchIT {
  private static final int CHUNK = 8100;
  private static final int CHUNKS = 64 * 32;

  @Test
  void appends_aroundAFullBatch_leaveFullChunksAndARemainder() throws Exception {
    byte[] content = Bytes.random(1, (CHUNKS + 1) * CHUNK + 1);
    Setting setting = new Setting(PostgresServers.newest(), true);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      for (int length :
          new int[] {
            CHUNKS * CHUNK, (CHUNKS + 1) * CHUNK - 1, (CHUNKS + 1) * CHUNK, content.length
          }) {
        Object key = fx.row(Arrays.copyOf(content, length));
        long blob = fx.number("SELECT content FROM item" + fx.where(key));
        String chunks = "SELECT count(*) FROM " + fx.table("chunk") + " WHERE blob_id = " + blob;
        String start = "SELECT piece_start FROM " + fx.table("head") + " WHERE id = " + blob;
        int full = length / CHUNK;
        assertThat(fx.number(chunks)).as("chunks of %d bytes", length).isEqualTo(full);
        assertThat(fx.number(start)).isEqualTo((long) full * CHUNK);
        assertThat(fx.own().verify(key)).isEmpty();
        fx.assertContent(key, Arrays.copyOf(content, length));
      }
    }
  }
}
