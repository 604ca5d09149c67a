package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Standby;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Reads a session's own writes on a standby, with WAIT FOR LSN of PostgreSQL 19. */
@Tag("ci")
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#runs19",
    disabledReason = "PostgreSQL 19 is not among the versions that run")
class WaitForLsnIT {
  private static final int ROUNDS = 20;

  @TempDir Path directory;

  private static PGSimpleDataSource source(EmbeddedPostgres server) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.jdbcUrlWithPassword("postgres"));
    return source;
  }

  @Test
  void standby_showsTheClientsWrites_toReadersFollowersAndDocuments() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (EmbeddedPostgres primary = PostgresServers.builder(19).start();
        EmbeddedPostgres standby = Standby.of(primary, 19, directory);
        Connection writer = source(primary).getConnection();
        Connection reader = source(standby).getConnection()) {
      PgToaster toaster = PgToaster.on(writer);
      toaster.catalog().install();
      Sql.run(writer, "CREATE TABLE item (id int PRIMARY KEY)");
      toaster.catalog().attach("item", "log", BlobOptions.defaults());
      toaster.catalog().attach("item", "doc", JsonOptions.defaults());
      Sql.run(writer, "INSERT INTO item VALUES (1)");
      toaster.documents("item", "doc").putJson(1, "{\"list\": []}");
      toaster.blobs("item", "log").append(1, Bytes.random(0, 3000));
      waitFor(writer, reader);
      BlobColumn copy = PgToaster.on(reader).blobs("item", "log");
      try (InputStream follower =
          PgToaster.create(source(standby))
              .blobs("item", "log")
              .follow(1, FollowOptions.defaults())) {
        for (int i = 1; i <= ROUNDS; i++) {
          toaster.blobs("item", "log").append(1, Bytes.random(i, 3000));
          toaster.documents("item", "doc").at(1, "list").append(i);
          waitFor(writer, reader);
          try (BlobReader pinned = copy.open(1)) {
            byte[] last = new byte[3000];
            assertThat(pinned.read(3000L * i, last, 0, 3000)).isEqualTo(3000);
            assertThat(last).isEqualTo(Bytes.random(i, 3000));
          }
          assertThat(PgToaster.on(reader).documents("item", "doc").at(1, "list").size())
              .hasValue(i);
          assertThat(follower.readNBytes(3000)).isEqualTo(Bytes.random(i - 1, 3000));
        }
      }
    }
  }

  /** Waits until the standby has replayed the primary's commits. */
  private static void waitFor(Connection writer, Connection reader) throws Exception {
    String lsn = Sql.string(writer, "SELECT pg_current_wal_insert_lsn()");
    Sql.run(reader, "WAIT FOR LSN '" + lsn + "' WITH (TIMEOUT '60s')");
  }
}
