package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code verify} finds planted damage. */
public interface DamageContract extends Contract {
  /** Stores chunks, a few pieces and perhaps a tail. */
  private Object stored() {
    byte[] content = fx().content(1, 39_600);
    Object key = fx().row(Bytes.slice(content, 0, 36_000));
    for (int at = 36_000; at < content.length; at += 300) {
      fx().own().append(key, Bytes.slice(content, at, 300));
    }
    fx().assertContent(key, content);
    return key;
  }

  private String lowest(String part, Object key) {
    return " WHERE blob_id = %1$d AND start = (SELECT min(start) FROM %2$s WHERE blob_id = %1$d)"
        .formatted(fx().handle(key), fx().table(part));
  }

  private void damaged(Object key) {
    assertThat(fx().own().verify(key)).isNotEmpty();
    Expect.refused(BlobCorruptException.class, () -> fx().own().read(key, 0, 40_000));
    Expect.failed(
        BlobCorruptException.class,
        () -> {
          try (var in = fx().own().inputStream(key)) {
            in.readAllBytes();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"chunk", "piece"})
  default void verify_findsAMissingRow(String part) {
    Object key = stored();
    fx().run("DELETE FROM " + fx().table(part) + lowest(part, key));
    damaged(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chunk", "piece"})
  default void verify_findsAShortenedRow(String part) {
    Object key = stored();
    fx().run(
            "UPDATE "
                + fx().table(part)
                + " SET data = substring(data FROM 1 FOR octet_length(data) - 1)"
                + lowest(part, key));
    damaged(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chunk", "piece"})
  default void verify_findsALengthenedRow(String part) {
    Object key = stored();
    fx().run(
            "UPDATE "
                + fx().table(part)
                + " SET data = data || decode('00', 'hex')"
                + lowest(part, key));
    assertThat(fx().own().verify(key)).isNotEmpty();
  }

  @Test
  default void verify_findsAHandleWithoutContent() {
    Object key = stored();
    try {
      fx().run(
              "SET session_replication_role = replica",
              "DELETE FROM " + fx().table("head") + " WHERE id = " + fx().handle(key));
      Expect.refused(BlobCorruptException.class, () -> fx().own().read(key, 0, 10));
      assertThat(fx().own().verify(key)).isNotEmpty();
    } finally {
      fx().run(
              "SET session_replication_role = replica",
              "DELETE FROM " + fx().table("chunk") + " WHERE blob_id = " + fx().handle(key),
              "DELETE FROM " + fx().table("piece") + " WHERE blob_id = " + fx().handle(key),
              "UPDATE item SET content = NULL" + fx().where(key));
    }
  }

  /** Tests for columns in which a checksum covers every byte. */
  interface Checksummed extends DamageContract {
    @ParameterizedTest
    @ValueSource(strings = {"chunk", "piece"})
    default void verify_findsAFlippedByte(String part) {
      Object key = fx().row(fx().content(1, 36_000));
      fx().own().append(key, fx().content(2, 1500));
      fx().run(
              "UPDATE "
                  + fx().table(part)
                  + " SET data = set_byte(data, 100, 255 - get_byte(data, 100))"
                  + " WHERE (blob_id, start) = (SELECT blob_id, min(start) FROM "
                  + fx().table(part)
                  + " WHERE blob_id = "
                  + fx().handle(key)
                  + " GROUP BY blob_id)");
      assertThat(fx().own().verify(key)).isNotEmpty();
      Expect.refused(BlobCorruptException.class, () -> fx().own().read(key, 0, 40_000));
      long at =
          50
              + fx().number(
                      "SELECT min(start) FROM "
                          + fx().table(part)
                          + " WHERE blob_id = "
                          + fx().handle(key));
      Expect.refused(BlobCorruptException.class, () -> fx().own().read(key, at, 60));
    }
  }
}
