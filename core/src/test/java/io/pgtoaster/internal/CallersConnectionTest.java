package io.pgtoaster.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.error.ConcurrencyException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks which calls on the caller's connection are repeated after a serialization failure or
 * deadlock.
 */
class CallersConnectionTest {
  private final List<String> ended = new ArrayList<>();
  private boolean autoCommit;
  private boolean keepsMode;
  private int calls;

  private CallersConnection connection(boolean mode) {
    autoCommit = mode;
    return new CallersConnection(
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, args) ->
                    switch (method.getName()) {
                      case "getAutoCommit" -> autoCommit;
                      case "setAutoCommit" -> {
                        if (keepsMode && !autoCommit) {
                          throw new SQLException("no", "40001");
                        }
                        autoCommit = (boolean) args[0];
                        yield null;
                      }
                      case "isClosed" -> false;
                      case "setSavepoint" -> savepoint();
                      case "commit", "rollback", "releaseSavepoint", "close" -> {
                        ended.add(method.getName());
                        yield null;
                      }
                      default -> throw new UnsupportedOperationException(method.getName());
                    }));
  }

  private static Savepoint savepoint() {
    return (Savepoint)
        Proxy.newProxyInstance(
            Savepoint.class.getClassLoader(), new Class<?>[] {Savepoint.class}, (p, m, a) -> null);
  }

  private int secondTime(String state) throws SQLException {
    calls++;
    if (calls == 1) {
      throw new SQLException("was aborted because of a concurrent transaction", state);
    }
    return calls;
  }

  @ParameterizedTest
  @ValueSource(strings = {"40P01", "40001"})
  void abortedTransaction_inAutocommitMode_isRetried(String state) {
    int result = connection(true).inTransaction(true, c -> secondTime(state));
    assertThat(result).isEqualTo(2);
    assertThat(ended).containsExactly("rollback", "commit");
    assertThat(autoCommit).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40P01", "40001"})
  void abortedWrite_inAutocommitMode_isRetried(String state) {
    int result =
        connection(true)
            .write(new Attempts(true), c -> Optional.of(secondTime(state)), c -> calls = 9);
    assertThat(result).isEqualTo(2);
    assertThat(ended).isEmpty();
  }

  @Test
  void connectionStillInATransaction_afterTheCommit_isClosed() {
    keepsMode = true;
    int result = connection(true).inTransaction(true, c -> ++calls);
    assertThat(result).isOne();
    assertThat(ended).containsExactly("commit", "close");
  }

  @Test
  void unrepeatableWork_isNotRetried() {
    CallersConnection connection = connection(true);
    assertThatExceptionOfType(ConcurrencyException.class)
        .isThrownBy(() -> connection.inTransaction(false, c -> secondTime("40P01")));
    assertThat(calls).isOne();
  }

  @Test
  void callersTransaction_isNeverRetried_andKeepsNothingOfTheFailedCall() {
    CallersConnection connection = connection(false);
    assertThatExceptionOfType(ConcurrencyException.class)
        .isThrownBy(() -> connection.inTransaction(true, c -> secondTime("40001")));
    assertThat(ended).containsExactly("rollback", "releaseSavepoint");
    ended.clear();
    calls = 0;
    assertThatExceptionOfType(ConcurrencyException.class)
        .isThrownBy(
            () ->
                connection.write(
                    new Attempts(true), c -> Optional.empty(), c -> secondTime("40001")));
    assertThat(calls).isOne();
    assertThat(ended).containsExactly("rollback", "releaseSavepoint");
    assertThat(autoCommit).isFalse();
  }
}
