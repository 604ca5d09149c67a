package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Options that change while handles are open. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#edges")
class OptionChangeIT {
  private static final byte[] ZEROS = new byte[500_000];

  @Parameter int version;

  @AutoClose private Fixture fx;

  @BeforeEach
  void open() {
    fx = new Fixture(new Setting(version, true), ColumnSpec.appendable("{}"));
  }

  private void set(String options) {
    fx.string("SELECT pgtoaster.set_options('item'::regclass, 'content', '%s')".formatted(options));
  }

  private long stored(Object key) {
    return fx.number(
        "SELECT coalesce(sum(pg_column_size(data)), 0) FROM %s WHERE blob_id = %d"
            .formatted(fx.table("chunk"), fx.handle(key)));
  }

  @Test
  void compact_usesTheStoresCurrentChunkSize() {
    byte[] content = Bytes.random(1, 5_000_000);
    Object key = fx.row(content);
    BlobColumn blobs = fx.own();
    set("{\"chunk_size\": 4000}");
    assertThat(blobs.compact(key)).isGreaterThan(1000);
    assertThat(fx.number("SELECT max(octet_length(data)) FROM %s".formatted(fx.table("chunk"))))
        .isEqualTo(4000);
    assertThat(blobs.compact(key)).isZero();
    fx.assertContent(key, content);
  }

  @Test
  void compact_compressesPlainChunks_andBack_underAnOpenReader() throws Exception {
    set("{\"chunk_size\": 32768}");
    Object zeros = fx.row(ZEROS);
    Object noise = fx.row(Bytes.random(1, 500_000));
    BlobColumn blobs = fx.own();
    set("{\"compression\": \"pglz\", \"chunk_size\": 32768}");
    try (BlobReader reader = blobs.open(zeros)) {
      assertThat(blobs.compact(zeros)).isPositive();
      assertThat(reader.inputStream().readAllBytes()).isEqualTo(ZEROS);
    }
    assertThat(stored(zeros)).isLessThan(100_000);
    assertThat(blobs.compact(zeros)).isZero();
    assertThat(blobs.compact(noise)).isZero();
    assertThat(stored(noise)).isGreaterThan(450_000);
    fx.assertContent(zeros, ZEROS);
    set("{\"compression\": \"none\", \"chunk_size\": 32768}");
    assertThat(blobs.compact(zeros)).isPositive();
    assertThat(stored(zeros)).isGreaterThan(450_000);
    assertThat(blobs.compact(zeros)).isZero();
    fx.assertContent(zeros, ZEROS);
  }

  @Test
  void fixedAndUnknownOptions_areRefused() {
    assertThatThrownBy(() -> set("{\"crc32c\": true}")).hasStackTraceContaining("is fixed");
    assertThatThrownBy(() -> set("{\"colour\": \"red\"}"))
        .hasStackTraceContaining("unknown option");
    assertThatThrownBy(() -> set("{\"compression\": \"zip\"}"))
        .hasStackTraceContaining("not one of");
  }

  @Test
  void copy_ofContentThatIsRechunkedMeanwhile_isCorrect() throws Exception {
    byte[] content = Bytes.random(1, 300_000);
    Object key = fx.row(content);
    Object target = fx.row();
    fx.run(
        "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM"
            + " pg_advisory_xact_lock(1); RETURN NEW; END'",
        "CREATE TRIGGER hold BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION hold()"
            .formatted(fx.table("head")));
    Connection holder = fx.connect();
    Sql.run(holder, "SELECT pg_advisory_lock(1)");
    Future<Object> copy =
        Wait.start(
            () -> {
              fx.own().copy(key, target);
              return target;
            });
    fx.database().awaitLockWaiters(1);
    set("{\"chunk_size\": 4000}");
    assertThat(fx.on(fx.connect()).compact(key)).isPositive();
    Sql.run(holder, "SELECT pg_advisory_unlock(1)");
    Wait.get(copy);
    fx.assertContent(key, content);
    fx.assertContent(target, content);
  }
}
