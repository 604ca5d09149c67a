package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Sql;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Keys whose values cannot be converted to the types of the key columns. */
interface WrongKeyContract extends Contract {
  @FunctionalInterface
  interface Call {
    void on(BlobColumn blobs, Object key) throws Exception;
  }

  private List<Call> calls(Object good) {
    byte[] bytes = fx().content(2, 9000);
    List<Call> calls =
        new ArrayList<>(
            List.of(
                (b, k) -> b.info(k),
                (b, k) -> b.length(k),
                (b, k) -> b.append(k, fx().content(2, 5)),
                (b, k) -> b.append(k, bytes),
                (b, k) -> b.append(k, new ByteArrayInputStream(bytes)),
                (b, k) -> b.open(k),
                (b, k) -> b.read(k, 0, 5),
                (b, k) -> b.inputStream(k).read(),
                (b, k) -> b.reader(k).read(),
                (b, k) -> b.channel(k).read(ByteBuffer.allocate(1)),
                (b, k) -> b.sqlBlob(k).length(),
                (b, k) -> b.replace(k, bytes),
                (b, k) -> b.truncate(k, 1),
                (b, k) -> b.delete(k),
                (b, k) -> b.verify(k),
                (b, k) -> b.copy(k, good),
                (b, k) -> b.copy(good, k)));
    if (fx().blobs().capabilities().contains(BlobCapability.SEAL)) {
      calls.add((b, k) -> b.seal(k));
    }
    return calls;
  }

  /** Returns the key with a different last value. */
  private static Object with(Object key, Object last) {
    if (!(key instanceof List<?> values)) {
      return last;
    }
    List<Object> wrong = new ArrayList<>(values);
    wrong.set(values.size() - 1, last);
    return wrong;
  }

  @Test
  default void keyOfAnotherType_isRefusedByEachCall_andTheTransactionContinues() throws Exception {
    Object key = fx().row(fx().content(1, 20));
    String type = fx().spec().key() == ColumnSpec.Key.UUID ? "uuid" : "int8";
    Connection connection = fx().begin();
    BlobColumn blobs = fx().on(connection);
    blobs.append(key, fx().content(2, 5));
    Object empty = fx().rowBeside(key);
    for (Object wrong : List.of("no such key", 1.5, true, "")) {
      List<Call> calls = calls(empty);
      for (int i = 0; i < calls.size(); i++) {
        Call call = calls.get(i);
        InvalidKeyException e =
            Expect.failed(InvalidKeyException.class, () -> call.on(blobs, with(key, wrong)));
        assertThat(e)
            .as("call %d", i)
            .hasMessageContaining("item.content, key ")
            .hasMessageContaining("key column \"id\" has the type " + type)
            .hasMessageContaining("given " + wrong.getClass().getName());
        assertThat(e.sqlState()).isEqualTo("22P02");
      }
    }
    assertThat(Sql.number(connection, "SELECT 1")).isEqualTo(1);
    connection.commit();
    assertThat(fx().own().length(key)).isEqualTo(25);
  }

  @Test
  default void keyOutOfTheRangeOfItsType_isRefused() {
    Object key = fx().row();
    if (fx().spec().key() != ColumnSpec.Key.UUID) {
      for (Object wrong :
          List.of(BigInteger.TWO.pow(63), "-9223372036854775809", "9".repeat(200))) {
        InvalidKeyException e =
            Expect.refused(
                InvalidKeyException.class,
                () -> fx().blobs().append(with(key, wrong), fx().content(1, 5)));
        assertThat(e.sqlState()).isEqualTo("22003");
        assertThat(e.getMessage()).doesNotContain("9".repeat(101));
      }
    }
  }

  @Test
  default void keyWithANullOrAWrongNumberOfValues_isRefused() {
    Object key = fx().row();
    int values = key instanceof List<?> list ? list.size() : 1;
    Object[] nulls = new Object[values];
    Expect.refused(InvalidKeyException.class, () -> fx().blobs().length(Arrays.asList(nulls)));
    for (int wrong : new int[] {0, values + 1}) {
      Expect.refused(
          InvalidKeyException.class, () -> fx().blobs().length(Collections.nCopies(wrong, 1)));
    }
  }

  @Test
  default void keyInAnyFormThatTheServerAccepts_findsItsRow() {
    Object key = fx().row(fx().content(1, 20));
    Object last = key instanceof List<?> values ? values.get(values.size() - 1) : key;
    List<String> forms =
        fx().spec().key() == ColumnSpec.Key.UUID
            ? List.of(
                "{" + last + "}",
                last.toString().replace("-", ""),
                last.toString().toUpperCase(Locale.ROOT))
            : List.of(" +" + last + " ", "000" + last, "\t" + last + "\n");
    for (String form : forms) {
      assertThat(fx().blobs().length(with(key, form))).as(form).isEqualTo(20);
    }
  }
}
