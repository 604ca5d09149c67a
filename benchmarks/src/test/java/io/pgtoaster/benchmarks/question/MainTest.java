package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong options are rejected before a server starts. */
class MainTest {
  @ParameterizedTest
  @CsvSource({
    "--set=standard, --out DIR",
    "--set=all, --set",
    "--server-version=14 --list, there is no server",
    "--url=jdbc:postgresql://localhost:1/postgres --list, Connection to localhost:1 refused",
    "--only=( --list, --only",
  })
  void wrongArgument_isReported(String arguments, String message) {
    PrintStream before = System.err;
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      System.setErr(stream);
      assertThat(Main.execute(("run " + arguments).split(" ", -1))).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(text.toString(StandardCharsets.UTF_8)).contains(message).doesNotContain("\tat ");
  }
}
