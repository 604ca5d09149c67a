package io.pgtoaster.it.blob.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import java.util.List;
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

  @Test
  void read_ofAFlippedByte_isRefused() {
    ColumnSpec spec = ColumnSpec.appendable("{\"chunk_size\": 2000, \"crc32c\": true}");
    try (Fixture fx = new Fixture(Setting.newest().get(0), spec)) {
      Database database = fx.database();
      database.run(
          "INSERT INTO item (id) VALUES (1)",
          "SELECT pgtoaster.blob_append('item', 'content', 1, convert_to(repeat('x', 4700), 'UTF8'))");
      String read = "SELECT octet_length(%s) FROM item";
      assertThat(database.strings(read.formatted("pgtoaster.bytes(content)")))
          .containsExactly("4700");
      for (String part : List.of("chunk", "piece")) {
        String flip =
            "UPDATE %s SET data = set_byte(data, 100, get_byte(data, 100) # 1)"
                .formatted(fx.table(part));
        database.run(flip);
        for (String call :
            List.of(
                "pgtoaster.bytes(content)",
                "pgtoaster.substring(content, 4650, 1) || pgtoaster.substring(content, 1, 9)",
                "pgtoaster.blob_read(content, 1, 1) || pgtoaster.blob_read(content, 4699, 1)",
                "pgtoaster.blob_read('item', 'content', 1, 0, 4700)")) {
          assertThatThrownBy(() -> database.strings(read.formatted(call)))
              .as("%s, flipped in a %s", call, part)
              .rootCause()
              .hasFieldOrPropertyWithValue("SQLState", "XX001");
        }
        database.run(flip);
      }
    }
  }
}
