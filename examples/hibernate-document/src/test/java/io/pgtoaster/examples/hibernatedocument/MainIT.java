package io.pgtoaster.examples.hibernatedocument;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class MainIT {
  @Test
  void interview_isReadAndChangedByPath_andItsRecordingIsAppendedTo() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
            .temporary()
            .start()) {
      String url = postgres.jdbcUrlWithPassword("postgres");
      Main.run(url, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("Sentence[second=49380, by=Ada, text=Sentence number 12345.]")
        .contains("2000000 bytes")
        .contains("1 interview");
  }
}
