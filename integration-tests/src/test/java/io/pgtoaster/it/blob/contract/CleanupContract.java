package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Content is removed when the removal of the last row that refers to it commits, and not earlier.
 */
public interface CleanupContract extends Contract {
  /** Stores chunks, pieces, a tail and a token. */
  private Object stored() {
    byte[] content = fx().content(1, 20_000);
    Object key = fx().row(Bytes.slice(content, 0, 17_000));
    fx().own().append(key, Bytes.slice(content, 17_000, 2000));
    fx().own()
        .append(
            key,
            Bytes.slice(content, 19_000, 1000),
            AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1)));
    return key;
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE FROM item", "UPDATE item SET content = NULL"})
  default void rowsThatReleaseTheirContent_leaveNothing(String sql) {
    Object key = stored();
    long blob = fx().handle(key);
    assertThat(fx().storedRows(blob)).isGreaterThan(2);
    fx().run(sql + fx().where(key));
    assertThat(fx().storedRows(blob)).isZero();
  }

  @Test
  default void delete_leavesNothing() {
    Object key = stored();
    long blob = fx().handle(key);
    fx().blobs().delete(key);
    assertThat(fx().storedRows(blob)).isZero();
  }

  @Test
  default void replaceAndTruncate_leaveNoRowsOfTheOldContent() {
    Object key = stored();
    long blob = fx().handle(key);
    fx().blobs().truncate(key, 0);
    assertThat(fx().storedRows(blob)).isLessThanOrEqualTo(2);
    fx().assertContent(key, new byte[0]);
  }

  @Test
  default void deletedContent_existsUntilTheCommit() throws Exception {
    Object key = stored();
    Connection connection = fx().begin();
    Sql.run(connection, "DELETE FROM item" + fx().where(key));
    fx().assertContent(key, fx().content(1, 20_000));
    connection.rollback();
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @Test
  default void rowDeletedAndReinsertedInOneTransaction_keepsItsContent() throws Exception {
    Object key = stored();
    Connection connection = fx().begin();
    Sql.run(
        connection,
        "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM item" + fx().where(key),
        "DELETE FROM item" + fx().where(key),
        "INSERT INTO item SELECT * FROM kept");
    connection.commit();
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @Test
  default void contentMovedToAnotherRow_isKept() throws Exception {
    Object key = stored();
    Object other = fx().rowBeside(key);
    long blob = fx().handle(key);
    Connection connection = fx().begin();
    Sql.run(
        connection,
        "UPDATE item SET content = NULL" + fx().where(key),
        "UPDATE item SET content = " + blob + fx().where(other));
    connection.commit();
    fx().assertContent(other, fx().content(1, 20_000));
    assertThat(fx().own().info(key)).isEmpty();
  }

  @Test
  default void replacedContent_isRemoved() throws Exception {
    Object key = stored();
    Object other = fx().rowBeside(key);
    fx().own().append(other, fx().content(2, 9000));
    long old = fx().handle(key);
    long kept = fx().handle(other);
    Connection connection = fx().begin();
    Sql.run(
        connection,
        "DELETE FROM item" + fx().where(other),
        "UPDATE item SET content = " + kept + fx().where(key));
    connection.commit();
    fx().assertContent(key, fx().content(2, 9000));
    assertThat(fx().storedRows(old)).isZero();
  }

  @Test
  default void deleteRolledBackToASavepoint_keepsTheContent() throws Exception {
    Object key = stored();
    Connection connection = fx().begin();
    var savepoint = connection.setSavepoint();
    Sql.run(connection, "DELETE FROM item" + fx().where(key));
    connection.rollback(savepoint);
    Sql.run(connection, "UPDATE item SET name = 'kept'" + fx().where(key));
    connection.commit();
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @Test
  default void secondReferenceToContent_isRefusedAndNothingChanges() {
    Object key = stored();
    Object other = fx().rowBeside(key);
    long blob = fx().handle(key);
    assertThatThrownBy(
            () -> Sql.run(fx().connect(), "UPDATE item SET content = " + blob + fx().where(other)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
    fx().assertContent(key, fx().content(1, 20_000));
  }

  @Test
  default void handleWithoutContent_isRefused() {
    Object key = fx().row();
    assertThatThrownBy(
            () -> Sql.run(fx().connect(), "UPDATE item SET content = 12345" + fx().where(key)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23503"));
  }

  @Test
  default void append_concurrentWithADeleteOfTheRow_leavesNoOrphan() throws Exception {
    Object key = stored();
    long blob = fx().handle(key);
    Connection deleter = fx().begin();
    Sql.run(deleter, "DELETE FROM item" + fx().where(key));
    fx().impatient().append(key, fx().content(2, 9000));
    deleter.commit();
    assertThat(fx().storedRows(blob)).isZero();
  }

  @Test
  default void delete_concurrentWithAnAppend_waitsAndLeavesNoOrphan() throws Exception {
    Object key = stored();
    long blob = fx().handle(key);
    Connection appender = fx().begin();
    fx().on(appender).append(key, fx().content(2, 9000));
    Future<Integer> deleted =
        Wait.start(
            () -> {
              fx().run("DELETE FROM item" + fx().where(key));
              return 0;
            });
    fx().database().awaitLockWaiters(1);
    appender.commit();
    Wait.get(deleted);
    assertThat(fx().storedRows(blob)).isZero();
  }

  @Test
  default void delete_concurrentWithAFirstAppend_leavesNoOrphan() throws Exception {
    Object key = fx().row();
    Connection appender = fx().begin();
    fx().on(appender).append(key, fx().content(2, 9000));
    Future<Integer> deleted =
        Wait.start(
            () -> {
              fx().run("DELETE FROM item" + fx().where(key));
              return 0;
            });
    fx().database().awaitLockWaiters(1);
    appender.commit();
    Wait.get(deleted);
    assertThat(fx().orphans()).isEmpty();
  }

  @Test
  default void gc_keepsAllReferencedContent() throws Exception {
    Object key = stored();
    Object uncommitted = fx().unknownKey();
    Connection connection = fx().begin();
    Sql.run(connection, fx().insert(uncommitted));
    fx().on(connection).append(uncommitted, fx().content(2, 9000));
    Object first = fx().row();
    Connection appender = fx().begin();
    fx().on(appender).append(first, fx().content(3, 9000));
    Options.collect(fx().database());
    connection.commit();
    appender.commit();
    Options.collect(fx().database());
    fx().assertContent(key, fx().content(1, 20_000));
    fx().assertContent(uncommitted, fx().content(2, 9000));
    fx().assertContent(first, fx().content(3, 9000));
  }
}
