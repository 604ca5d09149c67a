package io.pgtoaster.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.PgToasterException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class OwnConnectionsTest {
  private final AtomicInteger open = new AtomicInteger();
  private final CountDownLatch asked = new CountDownLatch(2);

  /** Connections that know their mode but cannot change it. */
  private DataSource stubborn() {
    return proxy(
        DataSource.class,
        (proxy, method, args) -> {
          open.incrementAndGet();
          asked.countDown();
          return proxy(
              Connection.class,
              (connection, called, values) -> {
                switch (called.getName()) {
                  case "close" -> open.decrementAndGet();
                  case "isWrapperFor" -> throw new IllegalStateException("no driver");
                  case "setAutoCommit" -> throw new SQLException("no", "25000");
                  default -> {
                    return false;
                  }
                }
                return null;
              });
        });
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void lease_ofAConnectionThatFails_givesItBack() {
    OwnConnections connections = new OwnConnections(stubborn());
    assertThatThrownBy(connections::lease).isInstanceOf(PgToasterException.class);
    assertThat(open).hasValue(0);
  }

  @Test
  void poolWithoutAConnection_isReportedAsNotDone() {
    DataSource empty =
        proxy(
            DataSource.class,
            (proxy, method, args) -> {
              throw new SQLTransientConnectionException("timed out");
            });
    assertThatThrownBy(() -> new OwnConnections(empty).read(connection -> 1))
        .isInstanceOf(ConnectionLostException.class);
  }

  @Test
  void listening_goesOnAfterAnUnexpectedException() throws Exception {
    Notifications notifications = new Notifications(stubborn());
    try (Notifications.Subscription subscription = notifications.subscribe("1", () -> {})) {
      assertThat(subscription).isNotNull();
      assertThat(asked.await(2, TimeUnit.MINUTES)).isTrue();
    }
  }
}
