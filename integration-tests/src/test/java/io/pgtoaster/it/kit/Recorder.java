package io.pgtoaster.it.kit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Records the statements that go through a connection. */
public final class Recorder {
  private static final Pattern WRITE =
      Pattern.compile(
          "(?i)(\\bINSERT\\s+INTO\\b|(?<!FOR |KEY )\\bUPDATE\\s+\\S|\\bDELETE\\s+FROM\\b)");

  private final List<Statement> statements = new CopyOnWriteArrayList<>();

  /**
   * An executed statement.
   *
   * @param sql the text of one call of execute, perhaps with several statements
   * @param executions the executions in one call: the size of a batch, otherwise 1
   * @param autoCommit the mode of the connection at that time
   * @param parameterBytes the sum of all parameters of all executions
   * @param largestParameter the length of the largest parameter
   * @param frames the number of methods of this library on the stack
   */
  public record Statement(
      String sql,
      int executions,
      boolean autoCommit,
      long parameterBytes,
      long largestParameter,
      long frames) {
    /**
     * Returns the number of writing statements in the text. Writing statements within one CTE count
     * as one.
     */
    public long writes() {
      String explicit = sql.strip();
      if (explicit.regionMatches(true, 0, "BEGIN", 0, 5)) {
        return 0;
      }
      long writes = 0;
      for (String one : sql.split(";", -1)) {
        writes += WRITE.matcher(one).find() ? 1 : 0;
      }
      return writes;
    }
  }

  public List<Statement> statements() {
    return statements;
  }

  public void clear() {
    statements.clear();
  }

  public DataSource record(DataSource source) {
    return proxy(
        DataSource.class,
        (proxy, method, args) -> {
          Object result = invoke(source, method, args);
          return result instanceof Connection c ? record(c) : result;
        });
  }

  public Connection record(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, args) -> {
          Object result = invoke(connection, method, args);
          if (result instanceof java.sql.Statement s) {
            return statement(connection, s, args != null && args[0] instanceof String q ? q : "");
          }
          return result;
        });
  }

  private Object statement(Connection connection, java.sql.Statement statement, String prepared) {
    Class<?> type =
        statement instanceof PreparedStatement ? PreparedStatement.class : java.sql.Statement.class;
    Parameters parameters = new Parameters();
    List<String> batch = new ArrayList<>();
    return proxy(
        type,
        (proxy, method, args) -> {
          String name = method.getName();
          String sql = args != null && args[0] instanceof String q ? q : prepared;
          if (name.equals("addBatch")) {
            batch.add(sql);
            parameters.keep();
          } else if (name.startsWith("set") && args != null && args.length > 1) {
            parameters.set(args[0], name.equals("setNull") ? null : args[1], args[args.length - 1]);
          } else if (name.startsWith("execute")) {
            boolean whole = name.endsWith("Batch");
            if (!whole) {
              parameters.keep();
            }
            statements.add(
                new Statement(
                    whole ? String.join("; ", new LinkedHashSet<>(batch)) : sql,
                    whole ? batch.size() : 1,
                    connection.getAutoCommit(),
                    parameters.sum(),
                    parameters.largest(),
                    frames()));
            parameters.forget();
            batch.clear();
          }
          return invoke(statement, method, args);
        });
  }

  private static long frames() {
    return StackWalker.getInstance()
        .walk(
            s ->
                s.map(StackWalker.StackFrame::getClassName)
                    .filter(c -> c.startsWith("io.pgtoaster.") && !c.startsWith("io.pgtoaster.it."))
                    .count());
  }

  private static Object invoke(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Recorder.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Returns the query levels of a text: each SELECT in parentheses is a level. */
  public static List<String> levels(String sql) {
    List<String> levels = new ArrayList<>();
    for (String one : sql.split(";", -1)) {
      StringBuilder top = new StringBuilder();
      collect(one, 0, top, levels);
      levels.add(top.toString());
    }
    return levels;
  }

  private static int collect(String sql, int from, StringBuilder level, List<String> levels) {
    int at = from;
    while (at < sql.length()) {
      char c = sql.charAt(at++);
      if (c == ')') {
        return at;
      }
      level.append(c);
      if (c == '(') {
        StringBuilder inner = new StringBuilder();
        at = collect(sql, at, inner, levels);
        if (inner.toString().strip().matches("(?is)(SELECT|UPDATE|DELETE|INSERT|WITH)\\b.*")) {
          levels.add(inner.toString());
        } else {
          level.append(inner);
        }
        level.append(')');
      }
    }
    return at;
  }
}
