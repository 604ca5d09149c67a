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
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnConnectionsTest {
  private final AtomicInteger open = new AtomicInteger();
  private final CountDownLatch asked = new CountDownLatch(2);

  /** Connections that report their autocommit mode but fail to change it. */
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
  void lease_ofAFailingConnection_returnsItToThePool() {
    OwnConnections connections = new OwnConnections(stubborn());
    assertThatThrownBy(connections::lease).isInstanceOf(PgToasterException.class);
    assertThat(open).hasValue(0);
  }

  /**
   * Connections that commit successfully, and then fail in one method.
   *
   * @param failing name of the method
   * @param state SQL state of the failure
   */
  private DataSource failingAfterTheCommit(String failing, boolean autoCommit, String state) {
    return proxy(
        DataSource.class,
        (proxy, method, args) -> {
          AtomicBoolean mode = new AtomicBoolean(autoCommit);
          return proxy(
              Connection.class,
              (connection, called, values) ->
                  switch (called.getName()) {
                    case "getAutoCommit" -> mode.get();
                    case "setAutoCommit" -> {
                      if (failing.equals("setAutoCommit")
                          && (boolean) values[0] == autoCommit
                          && mode.get() != autoCommit) {
                        throw new SQLException("failed late", state);
                      }
                      mode.set((boolean) values[0]);
                      yield null;
                    }
                    case "isClosed" -> false;
                    case "close" -> {
                      if (failing.equals("close")) {
                        throw new SQLException("failed late", state);
                      }
                      yield null;
                    }
                    default -> null;
                  });
        });
  }

  @ParameterizedTest
  @CsvSource({
    "close, true, 08006",
    "close, true, 40001",
    "close, false, 40001",
    "setAutoCommit, true, 08006",
    "setAutoCommit, true, 40001",
    "setAutoCommit, false, 40001"
  })
  void failureAfterTheCommit_isNeitherRepeatedNorReported(
      String method, boolean autoCommit, String state) {
    OwnConnections connections =
        new OwnConnections(failingAfterTheCommit(method, autoCommit, state));
    AtomicInteger calls = new AtomicInteger();
    assertThat((int) connections.inTransaction(true, c -> calls.incrementAndGet())).isOne();
    assertThat(
            (int)
                connections.write(
                    new Attempts(true), c -> Optional.of(calls.incrementAndGet()), c -> 0))
        .isEqualTo(2);
    assertThat((int) connections.read(c -> calls.incrementAndGet())).isEqualTo(3);
    connections.lease().close();
  }

  @Test
  void exhaustedPool_isNotALostConnection() {
    assertThatThrownBy(() -> read(new SQLTransientConnectionException("timed out")))
        .isInstanceOf(ConnectionUnavailableException.class)
        .hasMessageContaining("timed out");
    assertThatThrownBy(() -> read(new SQLException("none", new NoSuchElementException())))
        .isInstanceOf(ConnectionUnavailableException.class);
    assertThatThrownBy(() -> read(new SQLException("too many clients", "53300")))
        .isInstanceOf(ConnectionUnavailableException.class);
  }

  @Test
  void poolThatCannotConnect_isReportedAsALostConnection() {
    SQLException refused = new SQLException("refused", "08001");
    assertThatThrownBy(() -> read(new SQLTransientConnectionException("timed out", refused)))
        .isInstanceOf(ConnectionLostException.class);
  }

  @Test
  void missingConnection_isReportedWithCauseAndAdvice() {
    assertThatThrownBy(() -> read(new SQLException("HikariDataSource (p) has been closed.")))
        .isInstanceOf(ConnectionUnavailableException.class)
        .hasMessageStartingWith("the data source is closed");
    assertThatThrownBy(() -> read(new SQLException("interrupted", new InterruptedException())))
        .isInstanceOf(ConnectionUnavailableException.class)
        .hasMessageStartingWith("the thread was interrupted");
    assertThatThrownBy(() -> read(new SQLException("refused", "08001")))
        .isInstanceOf(ConnectionLostException.class)
        .hasMessageStartingWith("cannot connect to the server; check host and port");
    assertThatThrownBy(() -> read(new SQLException("no password", "28P01")))
        .hasMessageStartingWith("the server refused the login; check user, password");
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
  void listening_continuesAfterAnUnexpectedException() throws Exception {
    Notifications notifications = new Notifications(stubborn());
    try (Notifications.Subscription subscription = notifications.subscribe("1", () -> {})) {
      assertThat(subscription).isNotNull();
      assertThat(asked.await(2, TimeUnit.MINUTES)).isTrue();
    }
  }
}
