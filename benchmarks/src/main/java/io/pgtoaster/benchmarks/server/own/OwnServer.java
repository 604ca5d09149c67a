package io.pgtoaster.benchmarks.server.own;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.PostgresBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
   * Starts a server.
   *
   * @param home installed server; null to use an archive
   * @param version version of the archive
   * @param build build directory with the archives and the unpacked ones
   * @param extension directory with the extension's files, in one directory per version
   * @param fsync whether commits survive a crash of the machine
   */
  public static OwnServer start(
      @Nullable Path home, int version, Path build, Path extension, boolean fsync)
      throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder(binaries(home, version, build, extension));
    SETTINGS.forEach(builder::setting);
    if (!fsync) {
      builder.setting("fsync", "off");
    }
    return new OwnServer(builder.start());
  }

  private static PostgresBinaries binaries(
      @Nullable Path home, int version, Path build, Path extension) throws IOException {
    if (home == null) {
      Path maven = build.resolve("postgres").resolve("postgres-" + version + ".jar");
      Path fetched = extension.resolve(Integer.toString(version)).resolve("postgres.jar");
      Path jar = Files.exists(maven) ? maven : fetched;
      if (!Files.exists(jar)) {
        throw new IOException(
            "there is no server: mvn package downloads 15 to 18,"
                + " extension/versions build 19 downloads 19");
      }
      PostgresBinaries unpacked =
          PostgresBinaries.fromArchiveJar(jar, build.resolve("postgres-cache"));
      ExtensionFiles files = files(extension, version);
      return files.exist() ? files.addTo(unpacked) : unpacked;
    }
    PostgresBinaries installed = PostgresBinaries.fromDirectory(home);
    ExtensionFiles files = files(extension, installed.majorVersion());
    boolean distribution = home.startsWith(Path.of("/usr/lib/postgresql"));
    return files.exist() && distribution
        ? files.overlay(home, build.resolve("postgres-" + installed.majorVersion()))
        : installed;
  }

  private static ExtensionFiles files(Path extension, int version) {
    return new ExtensionFiles(extension.resolve(Integer.toString(version)).toAbsolutePath());
  }

  /** Returns the URL of its superuser, with the password. */
  public String url() {
    return server.jdbcUrlWithPassword("postgres");
  }

  @Override
  public void close() {
    server.close();
  }
}
