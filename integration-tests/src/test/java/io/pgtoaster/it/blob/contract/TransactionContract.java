package io.pgtoaster.it.blob.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.FailingInput;
import io.pgtoaster.it.kit.Sql;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every call takes part in the caller's transaction. */
public interface TransactionContract extends Contract {
  enum Isolation {
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    private final int level;

    Isolation(int level) {
      this.level = level;
    }
  }

  /** Changes of a blob or of another row. */
  enum Change {
    APPEND,
    APPEND_OF_CHUNKS,
    FIRST_APPEND,
    WRITE,
    TRUNCATE,
    REPLACE,
    COPY,
    DELETE;

    void on(BlobColumn blobs, Object key, Object other) {
      switch (this) {
        case APPEND -> blobs.append(key, "abc".repeat(300).getBytes(UTF_8));
        case APPEND_OF_CHUNKS -> blobs.append(key, "abc".repeat(9000).getBytes(UTF_8));
        case FIRST_APPEND -> blobs.append(other, new byte[] {'a'});
        case WRITE -> blobs.write(key, 10, new byte[] {'a'});
        case TRUNCATE -> blobs.truncate(key, 100);
        case REPLACE -> blobs.replace(key, new byte[] {'a'});
        case COPY -> blobs.copy(key, other);
        case DELETE -> blobs.delete(key);
        default -> throw new AssertionError(this);
      }
    }
  }

  private void changeAll(BlobColumn blobs, Object key, Object empty, Object copied) {
    blobs.append(key, fx().content(2, 40));
    blobs.append(key, fx().content(3, 9000));
    blobs.append(key, new ByteArrayInputStream(fx().content(4, 100_000)));
    blobs.write(key, 10, fx().content(5, 50));
    blobs.truncate(key, 50_000);
    blobs.copy(key, copied);
    blobs.compact(key);
    blobs.replace(key, fx().content(6, 30_000));
    blobs.append(empty, fx().content(7, 10));
    blobs.delete(empty);
    blobs.append(empty, fx().content(7, 20));
    blobs.append(key, fx().content(8, 10));
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areInvisibleUntilTheCallerCommits(Isolation isolation) throws Exception {
    Object key = fx().row(fx().content(1, 20_000));
    Object empty = fx().row();
    Object copied = fx().row();
    Connection connection = fx().begin(isolation.level);
    changeAll(fx().on(connection), key, empty, copied);
    fx().assertContent(key, fx().content(1, 20_000));
    assertThat(fx().own().info(empty)).isEmpty();
    assertThat(fx().own().info(copied)).isEmpty();
    byte[] expected = Bytes.concat(fx().content(6, 30_000), fx().content(8, 10));
    assertThat(fx().on(connection).read(key, 0, 40_000)).isEqualTo(expected);
    connection.commit();
    fx().assertContent(key, expected);
    fx().assertContent(empty, fx().content(7, 20));
    assertThat(fx().own().length(copied)).isEqualTo(50_000);
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areUndoneByTheCallersRollback(Isolation isolation) throws Exception {
    Object key = fx().row(fx().content(1, 20_000));
    Object empty = fx().row();
    Object copied = fx().row();
    Connection connection = fx().begin(isolation.level);
    changeAll(fx().on(connection), key, empty, copied);
    connection.rollback();
    fx().assertContent(key, fx().content(1, 20_000));
    assertThat(fx().own().info(empty)).isEmpty();
    assertThat(fx().own().info(copied)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areUndoneWithTheCallersSavepoint(Isolation isolation) throws Exception {
    Object key = fx().row(fx().content(1, 20_000));
    Object empty = fx().row();
    Object copied = fx().row();
    Connection connection = fx().begin(isolation.level);
    BlobColumn blobs = fx().on(connection);
    blobs.append(key, fx().content(9, 700));
    Savepoint savepoint = connection.setSavepoint();
    changeAll(blobs, key, empty, copied);
    connection.rollback(savepoint);
    blobs.append(key, fx().content(10, 700));
    connection.commit();
    fx().assertContent(
            key,
            Bytes.concat(fx().content(1, 20_000), fx().content(9, 700), fx().content(10, 700)));
    assertThat(fx().own().info(empty)).isEmpty();
    assertThat(fx().own().info(copied)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areNotCommitted_ifTheServerEndsBeforeTheCommit(Change change)
      throws Exception {
    byte[] before = fx().content(1, 20_000);
    Object key = fx().row(before);
    Object other = fx().rowBeside(key);
    Connection connection = fx().begin();
    change.on(fx().on(connection), key, other);
    fx().database().endServersOf(connection);
    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    fx().assertContent(key, before);
    assertThat(fx().own().info(other)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  default void firstAppend_toARowOfTheSameTransaction_isCommittedWithIt(Isolation isolation)
      throws Exception {
    Object key = fx().unknownKey();
    Connection connection = fx().begin(isolation.level);
    Sql.run(connection, fx().insert(key));
    fx().on(connection).append(key, fx().content(1, 9000));
    connection.commit();
    fx().assertContent(key, fx().content(1, 9000));

    Object gone = fx().unknownKey();
    Connection other = fx().begin(isolation.level);
    Sql.run(other, fx().insert(gone));
    fx().on(other).append(gone, fx().content(1, 9000));
    other.rollback();
    Expect.refused(RowNotFoundException.class, () -> fx().own().info(gone));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READ_COMMITTED")
  default void append_afterAnotherTransactionsCommit_isASerializationFailure(Isolation isolation)
      throws Exception {
    for (int size : new int[] {5, 9000}) {
      Object key = fx().row(fx().content(1, 20));
      Connection connection = fx().begin(isolation.level);
      BlobColumn blobs = fx().on(connection);
      assertThat(blobs.length(key)).isEqualTo(20);
      fx().own().append(key, fx().content(2, size));
      PgToasterException e =
          Expect.refused(
              ConcurrencyException.class, () -> blobs.append(key, fx().content(3, size)));
      assertThat(e.sqlState()).isEqualTo("40001");
      connection.rollback();
      fx().assertContent(key, Bytes.concat(fx().content(1, 20), fx().content(2, size)));
    }
  }

  @Test
  default void append_afterAnotherTransactionsCommit_followsIt() throws Exception {
    Object key = fx().row(fx().content(1, 20));
    Connection connection = fx().begin();
    BlobColumn blobs = fx().on(connection);
    assertThat(blobs.length(key)).isEqualTo(20);
    fx().own().append(key, fx().content(2, 9000));
    assertThat(blobs.append(key, fx().content(3, 10)).offset()).isEqualTo(9020);
    connection.commit();
    fx().assertContent(
            key, Bytes.concat(fx().content(1, 20), fx().content(2, 9000), fx().content(3, 10)));
  }

  @Test
  default void refusedCalls_leaveTheCallersTransactionUsable() throws Exception {
    Object key = fx().row(fx().content(1, 20));
    Object nothing = fx().row();
    Object unknown = fx().unknownKey();
    byte[] bytes = fx().content(2, 5);
    Connection connection = fx().begin();
    BlobColumn blobs = fx().on(connection);
    blobs.append(key, bytes);
    for (int size : new int[] {5, 9000, 2_000_000}) {
      Expect.conflict(
          25,
          () ->
              blobs.append(
                  key, fx().content(3, size), AppendOptions.defaults().withExpectedOffset(3)));
    }
    Expect.refused(InvalidOffsetException.class, () -> blobs.write(key, 90, bytes));
    Expect.refused(InvalidOffsetException.class, () -> blobs.truncate(key, 90));
    Expect.refused(InvalidOffsetException.class, () -> blobs.read(key, 90, 1));
    Expect.refused(BlobNotFoundException.class, () -> blobs.read(nothing, 0, 1));
    Expect.refused(BlobNotFoundException.class, () -> blobs.truncate(nothing, 0));
    Expect.refused(RowNotFoundException.class, () -> blobs.append(unknown, bytes));
    Expect.refused(RowNotFoundException.class, () -> blobs.read(unknown, 0, 1));
    Expect.refused(PgToasterException.class, () -> blobs.copy(key, key));
    assertThat(Sql.number(connection, "SELECT 1")).isEqualTo(1);
    connection.commit();
    fx().assertContent(key, Bytes.concat(fx().content(1, 20), bytes));
  }

  @Test
  default void calls_keepTheAutocommitModeOfTheCallersConnection() throws SQLException {
    Object key = fx().row(fx().content(1, 20));
    Connection connection = fx().connect();
    for (boolean autoCommit : new boolean[] {true, false}) {
      connection.setAutoCommit(autoCommit);
      BlobColumn blobs = fx().on(connection);
      blobs.append(key, fx().content(2, 5));
      blobs.append(key, fx().content(2, 50_000));
      blobs.read(key, 0, 10);
      blobs.write(key, 0, fx().content(3, 1));
      Expect.refused(InvalidOffsetException.class, () -> blobs.truncate(key, 1_000_000));
      blobs.open(key).close();
      assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
      assertThat(connection.isClosed()).isFalse();
      connection.setAutoCommit(true);
    }
    assertThat(fx().own().length(key)).isEqualTo(20 + 2 * 50_005);
  }

  @Test
  default void calls_onAnAutocommittingConnection_areCommittedOneByOne() {
    Object key = fx().row();
    BlobColumn blobs = fx().on(fx().connect());
    blobs.append(key, fx().content(1, 20_000));
    fx().assertContent(key, fx().content(1, 20_000));
    blobs.truncate(key, 100);
    fx().assertContent(key, Bytes.slice(fx().content(1, 20_000), 0, 100));
  }

  @ParameterizedTest
  @EnumSource
  default void append_ofAFailingStream_leavesNothingForTheCallerToCommit(Isolation isolation)
      throws Exception {
    Object key = fx().row(fx().content(1, 700));
    Object nothing = fx().row();
    Connection connection = fx().begin(isolation.level);
    BlobColumn blobs = fx().on(connection);
    for (Object row : new Object[] {key, nothing}) {
      InputStream in = FailingInput.after(fx().content(2, 5 << 20));
      assertThatThrownBy(() -> blobs.append(row, in)).hasRootCauseMessage(FailingInput.MESSAGE);
    }
    blobs.append(key, fx().content(3, 10));
    connection.commit();
    fx().assertContent(key, Bytes.concat(fx().content(1, 700), fx().content(3, 10)));
    assertThat(fx().own().info(nothing)).isEmpty();
  }

  @Test
  default void replace_withAFailingStream_keepsTheContentForTheCallerToCommit() throws Exception {
    Object key = fx().row(fx().content(1, 30_000));
    Connection connection = fx().begin();
    InputStream in = FailingInput.after(fx().content(2, 5 << 20));
    assertThatThrownBy(() -> fx().on(connection).replace(key, in))
        .hasRootCauseMessage(FailingInput.MESSAGE);
    connection.commit();
    fx().assertContent(key, fx().content(1, 30_000));
  }
}
