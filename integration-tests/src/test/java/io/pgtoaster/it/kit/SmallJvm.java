package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

public final class SmallJvm {
  private static final String PASSWORD = "PGTOASTER_TEST_PASSWORD";

  private SmallJvm() {}

  /** The database user's password, for the JVM that runs the class. */
  public static String password() {
    return System.getenv(PASSWORD);
  }

  /**
   * Runs a class with this JVM's class path. Its first arguments are the URL and the user of a
   * database. {@link #password} is not an argument, because other users of the machine can read
   * arguments.
   *
   * @param megabytes the size of the heap
   * @return the output
   */
  public static String run(int megabytes, Class<?> main, Database database, Object... more)
      throws Exception {
    Process child = start(megabytes, main, database, more);
    String output =
        new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(child.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  /** Starts the same JVM, with errors in its output. */
  public static Process start(int megabytes, Class<?> main, Database database, Object... more)
      throws IOException {
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
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(PASSWORD, postgres.password());
    return builder.start();
  }
}
