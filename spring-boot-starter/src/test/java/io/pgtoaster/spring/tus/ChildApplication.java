package io.pgtoaster.spring.tus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The application in a separate JVM that can be killed. Always reads the application's output.
 * Otherwise it would block at its next line, in the middle of a request.
 */
final class ChildApplication implements AutoCloseable {
  private static final String END = "\0";

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ChildApplication(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of the application");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      out.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add(e.toString());
    }
    lines.add(END);
  }

  static ChildApplication start(String heap, String... properties) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-cp",
                System.getProperty("java.class.path"),
                TusApplication.class.getName()));
    command.addAll(List.of(properties));
    return new ChildApplication(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits for the application to print a value. */
  long report(String what) throws InterruptedException {
    for (String line = lines.take(); !line.equals(END); line = lines.take()) {
      if (line.startsWith(what + " ")) {
        return Long.parseLong(line.substring(what.length() + 1));
      }
      System.out.println(line);
    }
    throw new AssertionError("the application did not print its " + what);
  }

  /** Stops the application normally and returns its peak heap size in bytes. */
  long end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    return report("peak");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
