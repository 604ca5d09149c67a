package io.pgtoaster.jsonb;

import java.lang.reflect.Proxy;
import java.sql.Connection;

/** A connection for vtables that do not use it. */
final class NoConnection {
  static final Connection INSTANCE =
      (Connection)
          Proxy.newProxyInstance(
              NoConnection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private NoConnection() {}
}
