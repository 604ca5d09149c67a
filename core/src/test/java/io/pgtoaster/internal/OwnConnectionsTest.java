package io.pgtoaster.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.PgToasterException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
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
  void poolWithoutAConnection_isNoLostConnection() {
    assertThatThrownBy(() -> read(new SQLTransientConnectionException("timed out")))
        .isInstanceOf(ConnectionUnavailableException.class)
        .hasMessageContaining("timed out");
    assertThatThrownBy(() -> read(new SQLException("none", new NoSuchElementException())))
        .isInstanceOf(ConnectionUnavailableException.class);
    assertThatThrownBy(() -> read(new SQLException("too many clients", "53300")))
        .isInstanceOf(ConnectionUnavailableException.class);
  }

  @Test
  void poolThatCannotConnect_isALostConnection() {
    SQLException refused = new SQLException("refused", "08001");
    assertThatThrownBy(() -> read(new SQLTransientConnectionException("timed out", refused)))
        .isInstanceOf(ConnectionLostException.class);
  }

  private static void read(SQLException instead) {
    DataSource source =
        proxy(
            DataSource.class,
            (proxy, method, args) -> {
              throw instead;
            });
    int unused = new OwnConnections(source).read(connection -> 1);
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
