package io.pgtoaster.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class AttemptsTest {
  private final SQLException broken = new SQLException("broken", "08006");
  private final PgToasterException unknown = new OutcomeUnknownException("at the commit", broken);
  private final PgToasterException lost = new ConnectionLostException("before it", broken);

  @Test
  void lostConnection_repeatsOnlyARecognizedCall() {
    Attempts attempts = new Attempts(true);
    assertThatThrownBy(() -> attempts.failed(unknown)).isSameAs(unknown);
    Attempts recognized = new Attempts(true, true);
    recognized.failed(lost);
    assertThat(recognized.mayBeCommitted()).isFalse();
    recognized.failed(unknown);
    assertThat(recognized.mayBeCommitted()).isTrue();
  }

  @Test
  void unknownOutcome_remainsUnknownWhenTheLastAttemptFails() {
    Attempts attempts = new Attempts(true, true);
    attempts.failed(unknown);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> attempts.failed(lost))
        .isSameAs(unknown)
        .satisfies(e -> assertThat(e.getSuppressed()).containsExactly(lost));
    assertThat(Thread.interrupted()).isTrue();
  }
}
