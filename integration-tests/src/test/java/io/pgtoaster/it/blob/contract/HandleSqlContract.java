package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of content by its handle in SQL. */
interface HandleSqlContract extends Contract {
  private static byte[] read(
      Connection connection, String function, long handle, long start, int count)
      throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement("SELECT pgtoaster." + function + "(?, ?, ?)")) {
      s.setLong(1, handle);
      s.setLong(2, start);
      s.setInt(3, count);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getBytes(1);
      }
    }
  }

  private static void assertRange(
      Connection connection, long handle, byte[] content, long start, int count)
      throws SQLException {
    long from = Math.max(start, 1) - 1;
    long to = Math.min(start - 1 + count, content.length);
    byte[] expected =
        to <= from ? new byte[0] : Bytes.slice(content, (int) from, (int) (to - from));
    assertThat(read(connection, "substring", handle, start, count))
        .as("from %d for %d", start, count)
        .isEqualTo(expected);
    if (start > 0 && start <= content.length + 1L) {
      assertThat(read(connection, "blob_read", handle, start - 1, count))
          .as("%d bytes at offset %d", count, start - 1)
          .isEqualTo(expected);
    }
  }

  private static void assertRefused(Connection connection, String state, String call) {
    assertThatThrownBy(() -> Sql.run(connection, "SELECT pgtoaster." + call))
        .as(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 700, 8100, 9000, 40_000, 200_000})
  default void rangeOfAHandle_matchesSubstring(int size) throws SQLException {
    byte[] content = Bytes.concat(fx().content(1, size), fx().content(2, 900));
    content = Bytes.concat(content, fx().content(3, 70));
    Object key = fx().row(Bytes.slice(content, 0, size));
    fx().own().append(key, Bytes.slice(content, size, 900));
    fx().own().append(key, Bytes.slice(content, size + 900, content.length - size - 900));
    long handle = fx().handle(key);
    Connection connection = fx().connect();
    assertThat(Sql.number(connection, "SELECT pgtoaster.blob_length(" + handle + ")"))
        .isEqualTo(content.length);
    long end = content.length;
    for (long start : new long[] {-5, 0, 1, 2, 8100, 8101, end - 900, end - 70, end, end + 1}) {
      for (int count : new int[] {0, 1, 10, 1000, 9000, Integer.MAX_VALUE}) {
        assertRange(connection, handle, content, start, count);
      }
    }
    assertThat(read(connection, "substring", handle, Long.MAX_VALUE, Integer.MAX_VALUE)).isEmpty();
    for (String at : new String[] {"%d".formatted(end + 1), "%d".formatted(Long.MAX_VALUE), "-1"}) {
      assertRefused(connection, "22023", "blob_read(" + handle + ", " + at + ", 0)");
    }
  }

  @Test
  default void nullHandle_returnsNull_andUnknownHandlesAreRefused() throws SQLException {
    Connection connection = fx().connect();
    assertThat(Sql.string(connection, "SELECT pgtoaster.blob_length(NULL)")).isNull();
    assertThat(Sql.string(connection, "SELECT pgtoaster.blob_read(NULL, 1, 1)")).isNull();
    assertThat(Sql.string(connection, "SELECT pgtoaster.substring(NULL, 1, 1)")).isNull();
    long first = ((long) fx().store() << 40) - 1;
    for (String call :
        new String[] {
          "blob_length(1)",
          "blob_length(-1)",
          "blob_read(" + first + ", 0, 1)",
          "substring(" + first + ", 1, 1)"
        }) {
      assertRefused(connection, "XX001", call);
    }
    long handle = fx().handle(fx().row(fx().content(1, 10)));
    assertRefused(connection, "22011", "substring(" + handle + ", 1, -1)");
    assertRefused(connection, "22023", "blob_read(" + handle + ", 0, -1)");
    assertRefused(connection, "22004", "blob_read(" + handle + ", NULL, 1)");
    assertRefused(connection, "22004", "blob_read(" + handle + ", 0, NULL)");
  }

  @Test
  default void readByHandle_seesTheCallersSnapshot() throws SQLException {
    Object key = fx().row(fx().content(1, 9000));
    long handle = fx().handle(key);
    Connection kept = fx().begin(Connection.TRANSACTION_REPEATABLE_READ);
    assertRange(kept, handle, fx().content(1, 9000), 8000, 2000);
    Connection writer = fx().begin();
    fx().on(writer).append(key, fx().content(2, 100));
    byte[] now = Bytes.concat(fx().content(1, 9000), fx().content(2, 100));
    assertRange(writer, handle, now, 8000, 2000);
    assertRange(fx().connect(), handle, fx().content(1, 9000), 8000, 2000);
    writer.commit();
    assertRange(kept, handle, fx().content(1, 9000), 8000, 2000);
    assertRange(fx().connect(), handle, now, 8000, 2000);
    kept.commit();
  }

  @Test
  default void readByHandle_usesTheCallersPrivileges() throws SQLException {
    Object key = fx().row(fx().content(1, 9000));
    Connection connection = fx().begin();
    Sql.run(connection, "CREATE ROLE handle_reader", "SET LOCAL ROLE handle_reader");
    String call = "SELECT pgtoaster.blob_length(" + fx().handle(key) + ")";
    assertThatThrownBy(() -> Sql.run(connection, call))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
    connection.rollback();
    Sql.run(
        connection,
        "CREATE ROLE handle_reader",
        "GRANT USAGE ON SCHEMA " + fx().database().schema() + " TO handle_reader",
        "GRANT SELECT ON item TO handle_reader",
        "SELECT pgtoaster.mirror_privileges(" + fx().store() + ")",
        "SET LOCAL ROLE handle_reader");
    assertThat(Sql.number(connection, call)).isEqualTo(9000);
    assertRange(connection, fx().handle(key), fx().content(1, 9000), 10, 100);
    connection.rollback();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"append(%s, 'abc'::bytea)", "write(%s, 1, 'b')", "truncate(%s, 5)", "seal(%s)"})
  default void changeInSql_whoseServerEndsBeforeTheCommit_isNotCommitted(String call)
      throws Exception {
    byte[] before = fx().content(1, 20_000);
    Object key = fx().row(before);
    Connection connection = fx().begin();
    Sql.run(
        connection,
        "SELECT pgtoaster.blob_" + call.formatted("'item', 'content', " + fx().texts(key)));
    fx().database().endServersOf(connection);
    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    fx().assertContent(key, before);
    assertThat(fx().own().info(key).orElseThrow().sealed()).isFalse();
  }
}
