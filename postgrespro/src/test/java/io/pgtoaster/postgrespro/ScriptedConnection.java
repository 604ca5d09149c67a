package io.pgtoaster.postgrespro;

import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A connection that returns prepared results and records the statements. */
final class ScriptedConnection {
  private final Map<String, List<Object>> answers = new LinkedHashMap<>();
  private final List<String> sent = new ArrayList<>();
  private final List<List<Object>> parameters = new ArrayList<>();

  /** Returns a connection to a server whose column has the toaster that a test needs. */
  static ScriptedConnection withToaster() {
    return new ScriptedConnection()
        .answer("to_regclass", true)
        .answer("a.atttoaster", true)
        .answer("t.tsrname", true);
  }

  /** Returns a column of the table {@code item}, attached with store 7. */
  static AttachedColumn column(String name, String type, String toaster) {
    return new AttachedColumn(
        "public",
        "item",
        name,
        type,
        toaster,
        7,
        null,
        Map.of(),
        List.of(new KeyColumn("id", "pg_catalog", "int8", "pg_catalog")),
        null,
        false,
        false,
        false);
  }

  /** Returns one row for queries that contain a text; the first matching text counts. */
  public ScriptedConnection answer(String part, Object... row) {
    answers.put(part, List.of(row));
    return this;
  }

  /** Returns the executed statements, with single spaces. */
  public List<String> sent() {
    return sent;
  }

  /**
   * Returns the parameters of the last statement that contains a text; for a stream, its length.
   */
  public List<Object> parametersOf(String part) {
    for (int i = sent.size() - 1; i >= 0; i--) {
      if (sent.get(i).contains(part)) {
        return parameters.get(i);
      }
    }
    throw new AssertionError("not sent: " + part + ", but " + sent);
  }

  public String last() {
    return sent.get(sent.size() - 1);
  }

  public Connection get() {
    return proxy(
        Connection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "prepareStatement" -> prepared((String) arguments[0]);
              case "createStatement" -> statement();
              case "createArrayOf" ->
                  proxy(
                      Array.class,
                      (array, called, values) ->
                          called.getName().equals("toString") ? "array" : null);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private Statement statement() {
    return proxy(
        Statement.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "execute" -> {
                query((String) arguments[0], List.of());
                yield true;
              }
              case "setEscapeProcessing", "close" -> null;
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private PreparedStatement prepared(String sql) {
    Map<Integer, Object> bound = new TreeMap<>();
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "executeQuery" -> query(sql, List.copyOf(bound.values()));
              case "executeUpdate" -> {
                query(sql, List.copyOf(bound.values()));
                yield 1;
              }
              case "execute" -> {
                query(sql, List.copyOf(bound.values()));
                yield true;
              }
              case "close" -> null;
              case "getConnection" -> get();
              default -> {
                bound.put(
                    (Integer) arguments[0],
                    arguments[1] instanceof InputStream in
                        ? in.readAllBytes().length + " bytes"
                        : String.valueOf(arguments[1]));
                yield null;
              }
            });
  }

  private ResultSet query(String sql, List<Object> bound) throws SQLException {
    sent.add(sql.replaceAll("\\s+", " ").strip());
    parameters.add(bound);
    List<Object> row =
        answers.entrySet().stream()
            .filter(a -> sql.contains(a.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(List.of());
    if (!row.isEmpty() && row.get(0) instanceof SQLException e) {
      throw e;
    }
    int[] read = {0};
    return proxy(
        ResultSet.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "next" -> read[0]++ == 0 && !row.isEmpty();
              case "wasNull" -> false;
              case "close" -> null;
              default -> row.get((Integer) arguments[0] - 1);
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
