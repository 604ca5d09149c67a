package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Sql;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exceptions and their causes do not contain any content. */
public interface NoPayloadContract extends Contract {
  private static byte[] secret(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 0xA7);
    return bytes;
  }

  private static void assertSilent(PgToasterException e) {
    StringWriter all = new StringWriter();
    e.printStackTrace(new PrintWriter(all));
    assertThat(all.toString())
        .doesNotContainIgnoringCase(HexFormat.of().formatHex(secret(4)))
        .doesNotContain("INSERT INTO", "UPDATE pgtoaster", "Failing row");
  }

  @ParameterizedTest
  @ValueSource(strings = {"head", "chunk", "piece"})
  default void messageOfARefusedRow_containsNoContent(String part) {
    Object key = fx().row(fx().content(1, 10));
    String table = fx().table(part);
    int size = part.equals("piece") ? 300 : 70_000;
    fx().run(
            "ALTER TABLE %s ADD CONSTRAINT no_more CHECK (%s) NOT VALID"
                .formatted(table, part.equals("head") ? "base < 0" : "start < 0"));
    try {
      PgToasterException e =
          Expect.refused(
              DatabaseException.class,
              () -> {
                // Bytes that do not fit in the tail become pieces.
                for (int i = 0; i < 4; i++) {
                  fx().blobs().append(key, secret(size));
                }
              });
      assertThat(e.sqlState()).isEqualTo("23514");
      assertThat(e.getMessage()).contains("no_more");
      assertSilent(e);
    } finally {
      fx().run("ALTER TABLE " + table + " DROP CONSTRAINT no_more");
    }
  }

  @Test
  default void messageOfACanceledBatch_containsNoContent() throws Exception {
    Object key = fx().row(fx().content(1, 80_000));
    Connection holder = fx().begin();
    Sql.run(holder, "LOCK TABLE " + fx().table("chunk") + " IN EXCLUSIVE MODE");
    Connection connection = fx().begin();
    Sql.run(connection, "SET statement_timeout = '200ms'");
    PgToasterException e =
        Expect.refused(
            DatabaseException.class, () -> fx().on(connection).append(key, secret(100_000)));
    assertThat(e.sqlState()).isEqualTo("57014");
    assertSilent(e);
    connection.rollback();
    PgToasterException write =
        Expect.refused(
            DatabaseException.class,
            () -> {
              Sql.run(connection, "SET statement_timeout = '200ms'");
              fx().on(connection).write(key, 0, secret(16_200));
            });
    assertThat(write.sqlState()).isEqualTo("57014");
    assertSilent(write);
    connection.rollback();
    holder.rollback();
  }
}
