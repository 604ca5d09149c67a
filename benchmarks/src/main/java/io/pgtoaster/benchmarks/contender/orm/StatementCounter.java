package io.pgtoaster.benchmarks.contender.orm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts all statements sent through a data source. */
final class StatementCounter {
  private final AtomicLong count = new AtomicLong();

  long take() {
    return count.getAndSet(0);
  }

  DataSource count(DataSource source) {
    return wrapped(DataSource.class, source);
  }

  private <T> T wrapped(Class<T> type, Object object) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (object instanceof Statement && method.getName().startsWith("execute")) {
                count.incrementAndGet();
              }
              try {
                return counted(method.invoke(object, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            }));
  }

  private @Nullable Object counted(@Nullable Object result) {
    if (result instanceof CallableStatement) {
      return wrapped(CallableStatement.class, result);
    }
    if (result instanceof PreparedStatement) {
      return wrapped(PreparedStatement.class, result);
    }
    if (result instanceof Statement) {
      return wrapped(Statement.class, result);
    }
    return result instanceof Connection ? wrapped(Connection.class, result) : result;
  }
}
