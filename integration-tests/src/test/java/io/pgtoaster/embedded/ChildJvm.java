package io.pgtoaster.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A separate process that uses this module. It reports one line and ends on request. */
final class ChildJvm implements AutoCloseable {
  final Process process;
  private final BufferedReader out;

  private ChildJvm(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The java command follows a prefix, such as {@code setsid}. */
  static ChildJvm start(List<String> prefix, List<String> jvmOptions, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(jvmOptions);
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  static ChildJvm start(String... arguments) throws IOException {
    return start(List.of(), List.of(), arguments);
  }

  /** Returns what the child reported: the pid of its server, or the home of its binaries. */
  String report() {
    try {
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError("the child JVM reported nothing");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long serverPid() {
    return Long.parseLong(report());
  }

  void end() throws IOException, InterruptedException {
    try (Writer in = process.outputWriter()) {
      in.write("end\n");
    }
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      throw new AssertionError("the child JVM does not end");
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  static final class Main {
    public static void main(String[] arguments) throws IOException {
      Path path = Path.of(arguments[1]);
      switch (arguments[0]) {
        case "shared" -> {
          try (SharedServer server = SharedServer.open(TestServers.archive(18), path)) {
            System.out.println(server.pid());
            System.in.read();
          }
        }
        case "shared-no-close" -> {
          System.out.println(SharedServer.open(TestServers.archive(18), path).pid());
          System.in.read();
        }
        case "temporary" -> {
          PostgresBinaries binaries = PostgresBinaries.fromArchiveJar(TestServers.jar(18), path);
          System.out.println(EmbeddedPostgres.builder(binaries).start().pid());
          System.in.read();
        }
        case "unpack" ->
            System.out.println(PostgresBinaries.fromArchiveJar(TestServers.jar(18), path).home());
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }
}
