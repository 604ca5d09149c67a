package io.pgtoaster.cli.explain;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Wraps a connection and records the cost of each statement. */
final class Recorder {
  private final Connection connection;
  private final Connection recorded;
  private final List<Step> steps = new ArrayList<>();
  private @Nullable Counters counters;

  Recorder(Connection connection) {
    this.connection = connection;
    this.recorded = proxy(Connection.class, this::onConnection);
  }

  /** Returns a connection that passes statements on, and records them after {@link #start}. */
  Connection connection() {
    return recorded;
  }

  void start(Counters by) {
    steps.clear();
    counters = by;
  }

  List<Step> stop() {
    counters = null;
    return List.copyOf(steps);
  }

  private @Nullable Object onConnection(
      Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
    @Nullable Object result = invoke(connection, method, args);
    if (result instanceof PreparedStatement s && args != null) {
      return recording(PreparedStatement.class, s, String.valueOf(args[0]));
    }
    return result instanceof Statement s ? recording(Statement.class, s, "") : result;
  }

  private <S extends Statement> S recording(Class<S> type, S statement, String prepared) {
    return proxy(
        type,
        (proxy, method, args) -> {
          @Nullable Counters by = counters;
          if (by == null || !method.getName().startsWith("execute")) {
            return invoke(statement, method, args);
          }
          String sql = args == null || args.length == 0 ? prepared : String.valueOf(args[0]);
          return note(by, sql, () -> invoke(statement, method, args));
        });
  }

  /** Work to record. */
  @FunctionalInterface
  interface Work {
    @Nullable Object run() throws Throwable;
  }

  private @Nullable Object note(Counters by, String sql, Work work) throws Throwable {
    Counters.Reading before = by.read();
    long began = System.nanoTime();
    @Nullable Object result = work.run();
    double millis = (System.nanoTime() - began) / 1e6;
    Counters.Reading after = by.read();
    steps.add(new Step(Step.verb(sql), after.since(before), after.wal() - before.wal(), millis));
    return result;
  }

  /** Runs the work that PostgreSQL deferred until commit. */
  void deferred(Counters by) throws SQLException {
    Counters.Reading before = by.read();
    long began = System.nanoTime();
    try (Statement s = connection.createStatement()) {
      s.execute("SET CONSTRAINTS ALL IMMEDIATE");
    }
    double millis = (System.nanoTime() - began) / 1e6;
    Counters.Reading after = by.read();
    List<Cost> costs = after.since(before);
    if (!costs.isEmpty()) {
      steps.add(new Step("at commit", costs, after.wal() - before.wal(), millis));
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Recorder.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object invoke(
      Object target, Method method, @Nullable Object @Nullable [] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
