package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Appends to several rows in order, with one statement.
 *
 * @param store the store with the rows
 * @param keys of the rows
 * @param requests what to append, in the order of the keys, without streams
 */
public record AppendList(Store store, List<RowKey> keys, List<AppendRequest> requests) {
  private static final String DIVISION_BY_ZERO = "22012";

  /**
   * Returns the list for use in SQL. Its columns after those of the key are bytes, checksum,
   * expected offset, writer (as text) and sequence.
   */
  public static String in(AttachedColumn column) {
    return column.keyList("bytea", "int4", "int8", "text", "int8");
  }

  /**
   * Appends to the rows.
   *
   * @param sql returns the number, outcome and offset of each append. Its parameters are those of
   *     the list, followed by the minimum number of applied appends; if fewer are applied, it must
   *     fail
   * @param whole whether to change nothing unless all appends can be made; only outside a
   *     transaction
   * @return a result for each append, or null if it was not done
   */
  public List<@Nullable AppendResult> append(Connection connection, String sql, boolean whole)
      throws SQLException {
    Query.Parameters list = this::bind;
    try {
      return Query.read(connection, sql, this::results, list, whole ? (long) keys.size() : 0L);
    } catch (SQLException e) {
      if (whole && DIVISION_BY_ZERO.equals(e.getSQLState())) {
        return none();
      }
      throw Store.corruptOr(e);
    }
  }

  private List<@Nullable AppendResult> none() {
    return new ArrayList<>(Collections.<@Nullable AppendResult>nCopies(keys.size(), null));
  }

  private List<@Nullable AppendResult> results(ResultSet r) throws SQLException {
    List<@Nullable AppendResult> results = none();
    while (r.next()) {
      int i = r.getInt(1) - 1;
      String outcome = r.getString(2);
      if (outcome.equals("applied") || outcome.equals("already")) {
        int count = requests.get(i).count();
        results.set(i, new AppendResult(r.getLong(3), count, outcome.equals("already")));
      }
    }
    return results;
  }

  private int bind(PreparedStatement s, int first) throws SQLException {
    int next = Query.keys(keys).bind(s, first);
    array(s, next, "bytea", values(AppendRequest::bytes).toArray(byte[][]::new));
    array(
        s,
        next + 1,
        "int4",
        store.options().crc32c()
            ? values(r -> store.checksum(r.array(), r.from(), r.count())).toArray(Integer[]::new)
            : null);
    array(s, next + 2, "int8", orNull(values(AppendRequest::expectedOffset), new Long[0]));
    array(s, next + 3, "text", orNull(values(r -> writer(r.token())), new String[0]));
    array(s, next + 4, "int8", orNull(values(r -> sequence(r.token())), new Long[0]));
    return next + 5;
  }

  private <T> List<@Nullable T> values(Function<AppendRequest, @Nullable T> value) {
    List<@Nullable T> values = new ArrayList<>(requests.size());
    for (AppendRequest request : requests) {
      values.add(value.apply(request));
    }
    return values;
  }

  /** Returns null if all values are null. The server also reads a null array as nulls. */
  private static <T> @Nullable Object @Nullable [] orNull(List<@Nullable T> values, T[] type) {
    for (T value : values) {
      if (value != null) {
        return values.toArray(type);
      }
    }
    return null;
  }

  private static @Nullable String writer(@Nullable AppendToken token) {
    return token == null ? null : token.writer().toString();
  }

  private static @Nullable Long sequence(@Nullable AppendToken token) {
    return token == null ? null : (Long) token.sequence();
  }

  private static void array(
      PreparedStatement s, int number, String type, @Nullable Object @Nullable [] values)
      throws SQLException {
    if (values == null) {
      s.setNull(number, Types.OTHER);
    } else {
      s.setArray(number, s.getConnection().createArrayOf(type, values));
    }
  }
}
