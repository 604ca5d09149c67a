package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Options that change after a column was attached. */
class OptionsIT {
  private static final byte[] TEXT =
      "2026-11-20 10:19:00 INFO request served in 12 ms\n"
          .repeat(8000)
          .getBytes(StandardCharsets.UTF_8);

  private Fixture fx;

  @BeforeEach
  void open() {
    fx = new Fixture(new Setting(PostgresServers.newest(), true), ColumnSpec.appendable("{}"));
  }

  @AfterEach
  void close() {
    fx.close();
  }

  @Test
  void compact_convertsToANewCompression_underAnOpenReader() throws Exception {
    Object key = fx.row(TEXT);
    long plain = stored(key);
    set("{\"compression\": \"pglz\"}");
    try (BlobReader reader = fx.own().open(key)) {
      assertThat(fx.own().compact(key)).isPositive();
      assertThat(reader.inputStream().readAllBytes()).isEqualTo(TEXT);
    }
    assertThat(stored(key)).isLessThan(plain / 5);
    assertThat(chunkSize(key)).isEqualTo(32_768);
    assertThat(fx.own().verify(key)).isEmpty();
    fx.own().append(key, TEXT);
    assertThat(fx.own().read(key, TEXT.length, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void compact_convertsBackToPlainChunks() throws Exception {
    set("{\"compression\": \"pglz\"}");
    BlobColumn fresh = PgToaster.create(fx.pool()).blobs(Fixture.TABLE, Fixture.COLUMN);
    Object key = fx.row();
    fresh.append(key, TEXT);
    assertThat(chunkSize(key)).isEqualTo(32_768);
    set("{\"compression\": \"none\"}");
    assertThat(fresh.compact(key)).isPositive();
    assertThat(chunkSize(key)).isEqualTo(8100);
    assertThat(fx.read(key)).isEqualTo(TEXT);
    assertThat(fresh.verify(key)).isEmpty();
  }

  @Test
  void fixedAndUnknownOptions_areRefused() {
    assertThatThrownBy(() -> set("{\"crc32c\": true}")).hasStackTraceContaining("is fixed");
    assertThatThrownBy(() -> set("{\"colour\": \"red\"}"))
        .hasStackTraceContaining("unknown option");
    assertThatThrownBy(() -> set("{\"compression\": \"zip\"}"))
        .hasStackTraceContaining("not one of");
  }

  private void set(String changes) {
    fx.database()
        .number("SELECT 1 FROM pgtoaster.set_options('item', 'content', '" + changes + "')");
  }

  private long stored(Object key) {
    return fx.database()
        .number(
            "SELECT coalesce(sum(pg_column_size(data)), 0) FROM "
                + fx.table("chunk")
                + " WHERE blob_id = "
                + fx.handle(key));
  }

  private long chunkSize(Object key) {
    return fx.database()
        .number("SELECT chunk_size FROM " + fx.table("head") + " WHERE id = " + fx.handle(key));
  }
}
