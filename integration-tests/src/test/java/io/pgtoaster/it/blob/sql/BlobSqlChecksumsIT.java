package io.pgtoaster.it.blob.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import org.junit.jupiter.api.Test;

/** Checksums of bytes that SQL functions append. */
class BlobSqlChecksumsIT {
  @Test
  void append_afterChunksBecameShorter_hasAChecksum() {
    ColumnSpec spec = ColumnSpec.appendable("{\"chunk_size\": 2000, \"crc32c\": true}");
    try (Fixture fx = new Fixture(Setting.newest().get(0), spec)) {
      Database database = fx.database();
      database.run(
          "INSERT INTO item (id) VALUES (1)",
          "SELECT pgtoaster.blob_append('item', 'content', 1, 'abc')",
          "SELECT pgtoaster.set_options('item', 'content', '{\"chunk_size\": 600}')",
          "SELECT pgtoaster.blob_append('item', 'content', 1, convert_to(repeat('x', 700), 'UTF8'))");
      assertThat(
              database.strings(
                  "SELECT concat(slot, ' ', crc IS NULL, ' ', octet_length(data)) FROM "
                      + fx.table("piece")))
          .containsExactly("0 f 703");
      assertThat(fx.own().verify(1L)).isEmpty();
    }
  }
}
