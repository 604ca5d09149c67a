package io.pgtoaster.internal;

import io.pgtoaster.column.RowKey;
import java.io.ByteArrayInputStream;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement with its parameters. The driver binds a parameter according to its class,
 * unless the parameter binds itself.
 */
public final class Query {
  /**
   * Prefix of statements that read or write documents in their stored form. With {@code
   * pgtoaster.transparent}, the server extension returns whole documents to all other statements.
   */
  public static final String STORED = "/* pgtoaster */ ";

  private static final String[] NO_TEXTS = {};

  private Query() {}

  /** One or several parameters that bind themselves. */
  @FunctionalInterface
  public interface Parameters {
    /** Binds the parameters, starting at a number; returns the number of the next one. */
    int bind(PreparedStatement statement, int first) throws SQLException;
  }

  /** Converts rows to a result. */
  @FunctionalInterface
  public interface Rows<T> {
    /** Reads the rows, which are closed afterwards. */
    @Nullable T read(ResultSet rows) throws SQLException;
  }

  /** Returns a parameter whose type the server infers. */
  public static Parameters untyped(@Nullable String text) {
    return typed(text, Types.OTHER);
  }

  /** Returns a parameter of the type integer. */
  public static Parameters integer(@Nullable Integer number) {
    return typed(number, Types.INTEGER);
  }

  /** Returns a parameter of the type bigint. */
  public static Parameters bigint(@Nullable Long number) {
    return typed(number, Types.BIGINT);
  }

  private static Parameters typed(@Nullable Object value, int type) {
    return (s, first) -> {
      s.setObject(first, value, type);
      return first + 1;
    };
  }

  /** Returns a part of an array as bytea. The driver sends it without a copy. */
  public static Parameters bytes(byte[] array, int from, int count) {
    return (s, first) -> {
      s.setBinaryStream(first, new ByteArrayInputStream(array, from, count), count);
      return first + 1;
    };
  }

  /** Returns an array of texts. */
  public static Parameters texts(Collection<String> texts) {
    // The driver sends only arrays of strings as binary.
    return (s, first) -> {
      s.setArray(first, s.getConnection().createArrayOf("text", texts.toArray(NO_TEXTS)));
      return first + 1;
    };
  }

  /** Returns an array of the names and values of options, as {@code jsonb_object} reads it. */
  public static Parameters pairs(Map<String, String> options) {
    return texts(
        options.entrySet().stream().flatMap(o -> Stream.of(o.getKey(), o.getValue())).toList());
  }

  /** Returns the parameters of one or more keys: an array for each key column. */
  public static Parameters keys(List<RowKey> keys) {
    return (s, first) -> {
      int next = first;
      for (int i = 0; i < keys.get(0).values().size(); i++) {
        int column = i;
        next = texts(keys.stream().map(key -> key.values().get(column)).toList()).bind(s, next);
      }
      return next;
    };
  }

  /** Runs a query. */
  public static <T> T read(
      Connection connection, String sql, Rows<T> rows, @Nullable Object... parameters)
      throws SQLException {
    return Objects.requireNonNull(find(connection, sql, rows, parameters));
  }

  /**
   * Runs a query that may find nothing.
   *
   * @return the result, or null
   */
  public static <T> @Nullable T find(
      Connection connection, String sql, Rows<T> rows, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      bind(s, 1, parameters);
      try (ResultSet r = s.executeQuery()) {
        return rows.read(r);
      }
    }
  }

  /** Runs a query and reads its first row; returns null if there is none. */
  public static <T> @Nullable T first(
      Connection connection, String sql, Rows<T> row, @Nullable Object... parameters)
      throws SQLException {
    return find(connection, sql, r -> r.next() ? row.read(r) : null, parameters);
  }

  /** Runs a query that returns one row, such as the result of a function. */
  public static <T> T one(
      Connection connection, String sql, Rows<T> row, @Nullable Object... parameters)
      throws SQLException {
    return Objects.requireNonNull(first(connection, sql, row, parameters));
  }

  /** Calls a function and ignores its result. */
  public static void call(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    boolean unused = read(connection, sql, ResultSet::next, parameters);
  }

  /** Runs a query and reads all its rows. */
  public static <T> List<T> list(
      Connection connection, String sql, Rows<T> row, @Nullable Object... parameters)
      throws SQLException {
    return read(
        connection,
        sql,
        r -> {
          List<T> found = new ArrayList<>();
          while (r.next()) {
            found.add(Objects.requireNonNull(row.read(r)));
          }
          return found;
        },
        parameters);
  }

  /** Returns true if a query finds a row whose first column is true. */
  public static boolean is(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    return read(connection, sql, r -> r.next() && r.getBoolean(1), parameters);
  }

  /** Runs a statement that changes rows. */
  public static int update(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      bind(s, 1, parameters);
      return s.executeUpdate();
    }
  }

  /**
   * Runs a statement once for each set of parameters, in few round trips.
   *
   * @return number of changed rows for each set
   */
  public static int[] batch(Connection connection, String sql, List<Object[]> sets)
      throws SQLException {
    if (sets.size() == 1) {
      return new int[] {update(connection, sql, sets.get(0))};
    }
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      for (Object[] parameters : sets) {
        int unused = bind(s, 1, parameters);
        s.addBatch();
      }
      return s.executeBatch();
    } catch (BatchUpdateException e) {
      // Its own message may contain the parameters.
      throw e.getNextException() == null ? e : e.getNextException();
    }
  }

  /** Binds parameters, starting at a number; returns the number of the next one. */
  public static int bind(PreparedStatement statement, int first, @Nullable Object... parameters)
      throws SQLException {
    int next = first;
    for (Object parameter : parameters) {
      if (parameter instanceof Parameters several) {
        next = several.bind(statement, next);
      } else if (parameter instanceof RowKey key) {
        for (String value : key.values()) {
          statement.setObject(next++, value, Types.OTHER);
        }
      } else {
        statement.setObject(next++, parameter);
      }
    }
    return next;
  }
}
