package io.pgtoaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code pgtoaster} in a checkout that is not built, with other programs named mvn and
 * java.
 */
@DisabledOnOs(OS.WINDOWS)
class ScriptTest {
  private static final String BY_HAND = "mvn -q package -Dmaven.test.skip -pl cli -am";

  @TempDir private Path directory;

  @BeforeEach
  void checkOut() throws IOException {
    Files.copy(
        Path.of("..", "pgtoaster"),
        directory.resolve("pgtoaster"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.createDirectories(directory.resolve("cli"));
    Files.createFile(directory.resolve("cli/pom.xml"));
    program("bin/java", "for last; do :; done\necho \"$last $(cat)\"");
  }

  private void program(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private record Result(int code, String output, String errors) {}

  private Result run(String path) throws Exception {
    ProcessBuilder script = new ProcessBuilder(List.of("./pgtoaster", "append"));
    script.directory(directory.toFile());
    script.environment().put("PATH", path);
    script.environment().put("JAVA_HOME", directory.toString());
    Path errors = directory.resolve("errors");
    Process process = script.redirectError(errors.toFile()).start();
    try (var in = process.getOutputStream()) {
      in.write("input".getBytes(UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), output, Files.readString(errors));
  }

  private Result run() throws Exception {
    return run(directory.resolve("bin") + ":" + System.getenv("PATH"));
  }

  @Test
  void firstCall_builds_andKeepsTheInput() throws Exception {
    program("bin/mvn", "cat; mkdir cli/target/lib; : >cli/target/pgtoaster-cli.jar");

    Result first = run();
    Result second = run();

    assertThat(first.output()).isEqualTo("append input\n");
    assertThat(first.errors().lines()).hasSize(2);
    assertThat(first.errors()).contains(BY_HAND, "pgtoaster: built in ").doesNotContain("\r");
    assertThat(second).isEqualTo(new Result(0, "append input\n", ""));
  }

  @Test
  void failedBuild_showsMavensErrors() throws Exception {
    program(
        "bin/mvn",
        "echo '[INFO] fine'; echo '[ERROR] broken -> [Help 1]'; echo '[ERROR] advice'; exit 1");

    Result result = run();

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.output()).isEmpty();
    assertThat(result.errors())
        .contains("[ERROR] broken", "the build failed", "to build it yourself: cd ", BY_HAND)
        .doesNotContain("fine", "advice");
  }

  @Test
  void mavenThatDoesNotStart_showsAllItsOutput() throws Exception {
    program("bin/mvn", "echo 'no JDK'; exit 1");

    assertThat(run().errors()).contains("no JDK");
  }

  @Test
  void withoutMaven_saysWhatToInstall() throws Exception {
    program("tools/dirname", "echo .");

    Result result = run(directory.resolve("tools").toString());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors())
        .isEqualTo(
            "pgtoaster: mvn was not found; install Maven 3.8.7 or later to build this tool\n");
  }

  @Test
  void withoutSources_saysSo() throws Exception {
    Files.delete(directory.resolve("cli/pom.xml"));

    assertThat(run().errors()).contains("there is neither ").contains("nor the sources");
  }
}
