package io.pgtoaster.it.cli;

import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.embedded.SharedServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line's jar with a separate PGTOASTER_HOME. Each command runs in a new process until
 * {@link #keepServer} or {@link #keepJvm} starts one for all.
 */
final class CliHome implements AutoCloseable {
  private static final Path JAR = Path.of(System.getProperty("pgtoaster.cli.jar")).normalize();

  private static final Path POSTGRES = Path.of(System.getProperty("pgtoaster.postgres.dir"));

  /** Options for JVMs that run for a second. */
  private static final List<String> SHORT_LIVED =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final Path directory;
  private SharedServer server;
  private CliHost host;

  private CliHome(@Nullable Path cache) throws IOException {
    // If this user is root, the server runs as another user, which cannot read JUnit's temporary
    // directory.
    Path target = Path.of(System.getProperty("java.io.tmpdir"));
    this.directory =
        Files.createDirectory(
            target.resolve(
                "pgtoaster-cli-it-" + ProcessHandle.current().pid() + "-" + System.nanoTime()));
    if (cache != null) {
      Files.createSymbolicLink(directory.resolve("cache"), Files.createDirectories(cache));
    }
  }

  /** Creates a home that has nothing, so the first command unpacks the server in the jar. */
  static CliHome empty() throws IOException {
    return new CliHome(null);
  }

  /** Creates a home without data that uses the unpacked servers of other tests. */
  static CliHome create() throws IOException {
    return new CliHome(POSTGRES.resolveSibling("server-cache").toAbsolutePath());
  }

  /** The result of a command. */
  @SuppressWarnings("ArrayRecordComponent")
  record Result(int code, byte[] bytes, String errors) {
    String output() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /**
   * Keeps the server and a JVM running between commands, which is faster. {@link #close} stops
   * them.
   */
  void keepServer() throws Exception {
    Path archive = POSTGRES.resolve("postgres-18.jar");
    server =
        SharedServer.open(
            PostgresBinaries.fromArchiveJar(archive, directory.resolve("cache")), directory);
    keepJvm(server.password());
  }

  /**
   * Keeps a JVM running between commands. {@link #close} stops it.
   *
   * @param password the password of the server in the commands' URLs
   */
  void keepJvm(String password) throws Exception {
    List<String> jvm =
        List.of(
            "--add-opens",
            "java.base/java.io=ALL-UNNAMED",
            "-cp",
            JAR + File.pathSeparator + CliHost.classes());
    ProcessBuilder builder = process(jvm);
    builder.environment().put("PGPASSWORD", password);
    host = new CliHost(builder);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        server.jdbcUrl("postgres"), server.user(), server.password());
  }

  /** Does not contain the password, because commands find it in their environment. */
  String url() {
    return "postgres://" + server.user() + "@127.0.0.1:" + server.port() + "/postgres";
  }

  /** The log of the server that keeps running. */
  Path log() {
    return server.logFile();
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  /** Prepares a command in a new process, with additional options of the JVM. */
  ProcessBuilder command(List<String> jvm, String... args) {
    ProcessBuilder builder = process(jvm);
    builder.command().addAll(List.of("-jar", JAR.toString()));
    builder.command().addAll(List.of(args));
    return builder;
  }

  private ProcessBuilder process(List<String> jvm) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SHORT_LIVED);
    command.addAll(jvm);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("PGTOASTER_HOME", directory.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    if (server != null) {
      builder.environment().put("PGPASSWORD", server.password());
    }
    return builder;
  }

  Result run(String... args) throws Exception {
    return run(new byte[0], args);
  }

  Result run(byte[] input, String... args) throws Exception {
    if (host == null) {
      return run(command(List.of(), args), input);
    }
    Path in = Files.write(directory.resolve("stdin"), input);
    Path out = directory.resolve("stdout");
    Path errors = directory.resolve("stderr");
    int code = host.run(in, out, errors, args);
    return new Result(code, Files.readAllBytes(out), Files.readString(errors));
  }

  Result run(ProcessBuilder builder, byte[] input) throws Exception {
    Path errors = Files.createTempFile(directory, "stderr", ".txt");
    Process process = builder.redirectError(errors.toFile()).start();
    Thread writer = new Thread(() -> feed(process, input));
    writer.start();
    byte[] output;
    try (InputStream in = process.getInputStream()) {
      output = in.readAllBytes();
    }
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("did not end: " + builder.command());
    }
    writer.join();
    return new Result(process.exitValue(), output, Files.readString(errors));
  }

  private static void feed(Process process, byte[] input) {
    try (var out = process.getOutputStream()) {
      out.write(input);
    } catch (IOException e) {
      return; // the command does not read its input
    }
  }

  @Override
  public void close() throws IOException {
    if (host != null) {
      host.close();
    }
    if (server != null) {
      server.close();
    }
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
