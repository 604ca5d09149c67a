package io.pgtoaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(args);
  }

  @Test
  void version_isPrinted() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("pgtoaster ");
  }

  @Test
  void help_namesExitCodesAndExamples() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Exit codes:", "Examples", "append", "generate-completion");
  }

  @Test
  void everyCommand_hasHelpThatFitsTheLine() {
    CommandLine main = Main.commandLine();
    for (String command : main.getSubcommands().keySet()) {
      assertThat(run(command, "--help")).as(command).isZero();
    }
    for (String command : main.getSubcommands().get("json").getSubcommands().keySet()) {
      assertThat(run("json", command, "--help")).as(command).isZero();
    }
    assertThat(out.toString().lines()).allSatisfy(l -> assertThat(l).hasSizeLessThanOrEqualTo(100));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "cat",
        "cat k --offset x",
        "truncate k",
        "discard k",
        "rm",
        "attach t",
        "append k --resume",
        "append k f g --resume",
        "tail k -n 1 -b 2",
        "demo --max-size 0x",
        "json",
        "json get",
        "json get k a[",
        "json set k p",
        "json set k p 1 --parents --existing",
        "json append k p",
        "json slice k p",
        "json slice k p 2 1",
        "json slice k p -1 -2",
        "json increment k p x",
        "json explain get k p 1",
        "json explain nonsense k p"
      })
  void incorrectUsage_returnsExitCode2_andPrintsALine(String args) {
    assertThat(run(args.isEmpty() ? new String[0] : args.split(" "))).isEqualTo(2);
    assertThat(err.toString()).startsWith("pgtoaster: ").doesNotContain("\tat ");
  }

  @Test
  void stackTrace_hasNoTerminalControls() {
    assertThat(run("-v", "ls", "--\u001b[31m")).isEqualTo(2);
    assertThat(err.toString()).contains("\tat ", "\\u001B[31m").doesNotContain("\u001b");
  }

  /** Arguments as xargs would append them, with an attacker's URL among the keys. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify k --url=postgres://elsewhere/d",
        "json get k --url=postgres://elsewhere/d",
        "rm -t t -c c k -q --url postgres://elsewhere/d"
      })
  void url_afterAKey_isRefused(String args) {
    assertThat(run(args.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains("put --url before").doesNotContain("no connection");
  }

  @Test
  void url_beforeTheKey_isAccepted() {
    assertThat(run("--url", "postgres://127.0.0.1:1/d", "cat", "k")).isEqualTo(6);
    assertThat(run("cat", "--url", "postgres://127.0.0.1:1/d", "k")).isEqualTo(6);
    assertThat(run("cat", "--url", "postgres://127.0.0.1:1/d", "--", "--url=postgres://x/d"))
        .isEqualTo(6);
  }

  @Test
  void help_showsXargsWithTheEndOfOptions() {
    CommandLine main = Main.commandLine();
    main.getSubcommands().keySet().forEach(command -> run(command, "--help"));
    assertThat(out.toString().lines().filter(line -> line.contains("xargs")))
        .isNotEmpty()
        .allMatch(line -> line.endsWith(" --"));
  }

  /** Command lines that contain the password "secret". */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls postgres://me:secret@h/d",
        "ls jdbc:postgresql://h/d?user=me&password=secret",
        "ls --ulr=postgres://me:sec/secret@h/d",
        "ls --password=secret",
        "ls --password secret",
        "ls -v --pass secret",
        "-v --url postgres://me:sec/secret@h/d ls",
        "-v --url jdbc:postgresql://me:secret@h/d ls",
        "-v --url jdbc:postgresql://h:port/d?password=secret ls",
        "-v --url jdbc:postgresql://h:1/d?sslmode=wrong&password=secret ls",
        "-v --url postgres://me:secret@127.0.0.1:1/d ls",
        "-v --url jdbc:postgresql://127.0.0.1:1/d;password=secret ls"
      })
  void messages_neverContainThePassword(String args) {
    PrintStream standard = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(run(args.split(" "))).isIn(2, 6);
    } finally {
      System.setErr(standard);
    }
    assertThat(err.toString()).startsWith("pgtoaster: ");
    assertThat(out + err.toString() + printed.toString(StandardCharsets.UTF_8))
        .doesNotContain("secret");
  }

  @Test
  void passwordAmongTheArguments_causesAWarningThatSaysWhoCanReadIt() {
    PrintStream standard = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(run("--url", "postgres://me:secret@127.0.0.1:1/d", "ls")).isEqualTo(6);
      assertThat(run("--url", "postgres://me@127.0.0.1:1/d", "ls")).isEqualTo(6);
    } finally {
      System.setErr(standard);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains("in the list of processes", "PGPASSWORD");
  }

  @Test
  void completion_isAScript() {
    assertThat(run("generate-completion")).isZero();
    assertThat(out.toString()).contains("_complete_pgtoaster");
  }

  @ParameterizedTest
  @CsvSource({
    "att, attach",
    "set, set-options",
    "js, json",
    "json ins, insert",
    "attach --if, --if-absent",
    "attach --unchanged W, WARNING",
    "gc --gr, --grace"
  })
  @EnabledOnOs(OS.LINUX)
  void completion_worksInBash(String typed, String completed, @TempDir Path folder)
      throws Exception {
    assertThat(run("generate-completion")).isZero();
    Path script = Files.writeString(folder.resolve("completion"), out.toString());
    String line =
        "source \"$0\"; COMP_WORDS=(pgtoaster "
            + typed
            + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
            + " _complete_pgtoaster; echo \"${COMPREPLY[@]}\"";
    Process bash =
        new ProcessBuilder("bash", "-c", line, script.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo(completed);
  }
}
