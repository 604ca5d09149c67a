package io.pgtoaster.cli.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.RowNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

class DiagnosisTest {
  private static int code(Throwable t) {
    return Diagnosis.of(t).exitCode();
  }

  @Test
  void exitCodes_showTheKindOfError() {
    assertThat(code(new IOException("disk"))).isEqualTo(1);
    assertThat(code(new IllegalArgumentException("bad"))).isEqualTo(2);
    assertThat(code(new RowNotFoundException("row"))).isEqualTo(3);
    assertThat(code(new OffsetConflictException(1, 2))).isEqualTo(4);
    assertThat(code(new IOException(new BlobSealedException("sealed")))).isEqualTo(5);
    assertThat(code(new AccessDeniedException("no"))).isEqualTo(5);
    assertThat(code(new ConnectionLostException("gone"))).isEqualTo(6);
    assertThat(code(new SQLException("password", "28P01"))).isEqualTo(6);
    assertThat(code(new SQLException("no table", "42P01"))).isEqualTo(3);
  }

  @Test
  void messages_areShort() {
    assertThat(Diagnosis.of(new SQLException("one\n  Detail: two", "23505")).message())
        .isEqualTo("one");
    assertThat(Diagnosis.of(new NoSuchFileException("x")).message())
        .isEqualTo("there is no file x");
  }

  @Test
  void hintOfTheServer_isASeparateLine_withoutTheDetail() {
    ServerErrorMessage told =
        new ServerErrorMessage("SERROR\0C23514\0Mrefused\0Dthe row is secret\0Hdo this\0\0");
    assertThat(Diagnosis.of(new PSQLException(told)).message())
        .isEqualTo("ERROR: refused\nhint: do this");
  }
}
