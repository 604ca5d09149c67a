package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of content in separate tables do not block writers of the owner's row. */
public interface OwnerRowContract extends Contract {
  @ParameterizedTest
  @ValueSource(strings = {"UPDATE", "FOR UPDATE", "FOR NO KEY UPDATE"})
  default void changes_neverWaitForAWriterOfTheRow(String how) throws Exception {
    Object key = fx().row(fx().content(1, 500));
    Connection writer = fx().begin();
    Sql.run(
        writer,
        how.equals("UPDATE")
            ? "UPDATE item SET name = 'changed'" + fx().where(key)
            : "SELECT FROM item" + fx().where(key) + how);
    BlobColumn impatient = fx().impatient();
    impatient.append(key, fx().content(2, 10));
    impatient.append(key, fx().content(3, 30_000));
    impatient.append(key, new ByteArrayInputStream(fx().content(4, 2_000_000)));
    impatient.write(key, 0, fx().content(5, 10));
    impatient.truncate(key, 1000);
    impatient.compact(key);
    try (BlobReader reader = impatient.open(key)) {
      assertThat(reader.length()).isEqualTo(1000);
    }
    impatient.replace(key, fx().content(6, 700));
    impatient.seal(key);
    writer.commit();
    fx().assertContent(key, fx().content(6, 700));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 30_000})
  default void writers_ofTheRow_neverWaitForAnAppend(int size) throws Exception {
    Object key = fx().row(fx().content(1, 500));
    Connection appender = fx().begin();
    fx().on(appender).append(key, fx().content(2, size));
    Connection writer = fx().connect();
    Sql.run(
        writer, "SET lock_timeout = '2s'", "UPDATE item SET name = 'changed'" + fx().where(key));
    appender.commit();
    fx().assertContent(key, Bytes.concat(fx().content(1, 500), fx().content(2, size)));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 30_000})
  default void append_neverTouchesTheRow(int size) {
    Object key = fx().row(fx().content(1, 500));
    String version = fx().string("SELECT xmin || ' ' || ctid FROM item" + fx().where(key));
    fx().own().append(key, fx().content(2, size));
    assertThat(fx().string("SELECT xmin || ' ' || ctid FROM item" + fx().where(key)))
        .isEqualTo(version);
  }

  @Test
  default void appendThatWaited_whileItsContentMovedToAnotherRow_doesNotFollowIt()
      throws Exception {
    Object key = fx().row(fx().content(1, 700));
    Object other = fx().rowBeside(key);
    long blob = fx().handle(key);
    Connection mover = fx().begin();
    fx().on(mover).append(key, fx().content(2, 9000));
    Future<AppendResult> append = Wait.start(() -> fx().own().append(key, fx().content(3, 9000)));
    fx().database().awaitLockWaiters(1);
    Sql.run(
        mover,
        "UPDATE item SET content = NULL" + fx().where(key),
        "UPDATE item SET content = " + blob + fx().where(other));
    mover.commit();
    assertThat(Wait.get(append).offset()).isZero();
    fx().assertContent(key, fx().content(3, 9000));
    fx().assertContent(other, Bytes.concat(fx().content(1, 700), fx().content(2, 9000)));
  }

  @Test
  default void firstAppend_whoseHandleATriggerSuppresses_isRefusedAndLeavesNothing()
      throws Exception {
    Object key = fx().row();
    fx().run(
            "CREATE FUNCTION keep_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER keep_out BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION keep_out()");
    try {
      for (int size : new int[] {10, 20_000}) {
        Expect.refused(CatalogException.class, () -> fx().own().append(key, fx().content(1, size)));
      }
      Connection connection = fx().begin();
      for (int size : new int[] {10, 20_000}) {
        Expect.refused(
            CatalogException.class, () -> fx().on(connection).append(key, fx().content(1, size)));
      }
      connection.commit();
    } finally {
      fx().run("DROP TRIGGER keep_out ON item", "DROP FUNCTION keep_out()");
    }
    assertThat(fx().orphans()).isEmpty();
    assertThat(fx().own().info(key)).isEmpty();
  }
}
