package io.pgtoaster.it.kit;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.PostgresBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** Physical standbys. They need the distribution's pg_basebackup, see {@link NeedsDistribution}. */
public final class Standby {
  private Standby() {}

  /** Copies a running server and starts the copy as its standby. */
  public static EmbeddedPostgres of(EmbeddedPostgres primary, int version, Path directory)
      throws Exception {
    PostgresBinaries tools = PostgresServers.binaries(version);
    Path data = directory.resolve("standby");
    tools.run(
        directory,
        Map.of("PGPASSWORD", primary.password()),
        "pg_basebackup",
        List.of(
            "--checkpoint=fast",
            "-R",
            "-D",
            data.toString(),
            "-h",
            "127.0.0.1",
            "-p",
            Integer.toString(primary.port()),
            "-U",
            primary.user()));
    Files.copy(
        primary.dataDirectory().resolveSibling("data.password"),
        data.resolveSibling("standby.password"),
        StandardCopyOption.COPY_ATTRIBUTES);
    return EmbeddedPostgres.builder(tools)
        .dataDirectory(data)
        .setting("max_connections", "200")
        .start();
  }
}
