package io.pgtoaster.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.OutcomeUnknownException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Errors of a Citus coordinator. */
class SqlErrorsTest {
  /** Returns the exception for a server message, in which a letter precedes each field. */
  private static PSQLException error(String state, String file, String constraint) {
    return new PSQLException(
        new ServerErrorMessage("SERROR\0C%s\0Mfailed\0F%s\0%s".formatted(state, file, constraint)));
  }

  @ParameterizedTest
  @CsvSource({
    "XX000, remote_commands.c, true",
    "XX000, remote_transaction.c, true",
    "XX000, connection_management.c, true",
    "XX000, adaptive_executor.c, true",
    "08006, remote_commands.c, true",
    "XX000, heapam.c, false",
    "23505, remote_commands.c, false"
  })
  void commitThatAWorkerMayHaveMade_hasAnUnknownOutcome(
      String state, String file, boolean unknown) {
    PSQLException e = error(state, file, "");
    assertThat(SqlErrors.mayBeCommitted(e)).isEqualTo(unknown);
    assertThat(SqlErrors.translateAtCommit(e))
        .isInstanceOf(unknown ? OutcomeUnknownException.class : DatabaseException.class);
  }

  @Test
  void unknownOutcome_hasItsOwnSqlState() {
    assertThat(SqlErrors.translateAtCommit(new SQLException("broken", "08006")).sqlState())
        .isEqualTo("08007");
  }

  @ParameterizedTest
  @CsvSource({
    "store_7_node_pkey, true",
    "store_7_node_pkey_102018, true",
    "store_7_head_pkey_102017, true",
    "store_7_head_pkey, false",
    "item_pkey_102008, false"
  })
  void duplicateNumber_isDrawnAgain(String constraint, boolean again) {
    PSQLException e = error("23505", "nbtinsert.c", "n" + constraint + "\0");
    assertThat(SqlErrors.isRetryable(e)).isEqualTo(again);
    assertThat(SqlErrors.translate(e))
        .isInstanceOf(again ? ConcurrencyException.class : DatabaseException.class);
  }

  @Test
  void undistributedHead_isReportedWithAdvice() {
    assertThat(SqlErrors.translate(error("23505", "nbtinsert.c", "nstore_7_head_pkey\0")))
        .hasMessageContaining("pgtoaster.advance_numbers(7)");
  }
}
