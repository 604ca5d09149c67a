package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.embedded.EmbeddedPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with little memory. */
public final class SmallJvm {
  private SmallJvm() {}

  /**
   * Runs a class with this JVM's class path; its first arguments are the URL and the user of a
   * database.
   *
   * @param megabytes of heap
   * @return all that it printed
   */
  public static String run(int megabytes, Class<?> main, Database database, Object... more)
      throws Exception {
    EmbeddedPostgres postgres = database.server().postgres();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes + "m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                postgres.jdbcUrl(database.name()),
                postgres.user()));
    for (Object argument : more) {
      command.add(argument.toString());
    }
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(child.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return output;
  }
}
