package io.pgtoaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void version_isPrinted() {
    StringWriter out = new StringWriter();
    int code = Main.commandLine().setOut(new PrintWriter(out)).execute("--version");
    assertThat(code).isZero();
    assertThat(out.toString()).startsWith("pgtoaster ");
  }
}
