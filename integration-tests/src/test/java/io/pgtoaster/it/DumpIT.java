package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.AppendToken;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** pg_dump and pg_restore, on the one version whose client tools are at hand. */
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#offersDistribution",
    disabledReason =
        "no PostgreSQL 15 with client tools and lz4 in /usr/lib/postgresql/15; to enable:"
            + " apt-get install postgresql-15")
class DumpIT {
  @TempDir Path directory;

  @Test
  void restoredDatabase_hasItsContentAndTakesAppends() throws Exception {
    Server server = PostgresServers.shared(15);
    PostgresBinaries tools = PostgresServers.binaries(15);
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    try (Fixture fx = new Fixture(new Setting(15, true), ColumnSpec.appendable("{}"))) {
      Object key = fx.row(Bytes.random(1, 100_000));
      fx.own().append(key, Bytes.random(2, 3000));
      fx.own().append(key, Bytes.random(3, 10), AppendOptions.defaults().token(token));
      byte[] content = fx.read(key);

      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
      Path dump = directory.resolve("dump");
      String port = Integer.toString(server.postgres().port());
      String user = server.postgres().user();
      tools.run(
          "pg_dump",
          "-h",
          "127.0.0.1",
          "-p",
          port,
          "-U",
          user,
          "-Fc",
          "-f",
          dump.toString(),
          fx.database().name());
      Database fresh = server.database();
      tools.run(
          "pg_restore",
          "-h",
          "127.0.0.1",
          "-p",
          port,
          "-U",
          user,
          "--exit-on-error",
          "-d",
          fresh.name(),
          dump.toString());

      PgToaster toaster = PgToaster.create(fresh.dataSource());
      BlobColumn blobs = toaster.blobs("item", "content");
      assertThat(blobs.read(key, 0, content.length + 1)).isEqualTo(content);
      assertThat(blobs.append(key, Bytes.random(3, 10), AppendOptions.defaults().token(token)))
          .extracting(r -> r.outcome())
          .isEqualTo(AppendOutcome.ALREADY_APPLIED);
      blobs.append(key, Bytes.random(4, 20_000));
      assertThat(blobs.verify(key)).isEmpty();
      fresh.run("INSERT INTO item (id) VALUES (1000)");
      blobs.append(1000, Bytes.random(5, 20_000));
      assertThat(blobs.read(1000, 0, 30_000)).isEqualTo(Bytes.random(5, 20_000));
      assertThat(toaster.catalog().status().get(0).warnings()).isEmpty();
      fresh.run("DELETE FROM item");
      assertThat(toaster.catalog().status().get(0).blobs()).isZero();
      toaster.catalog().install();
      fx.assertContent(key, content);
    }
  }
}
