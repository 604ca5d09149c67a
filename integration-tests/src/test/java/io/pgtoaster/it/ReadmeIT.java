package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The sample of the README, run as it stands there. */
class ReadmeIT {
  private static final Path SELF =
      Path.of("src/test/java/io/pgtoaster/it/ReadmeIT.java").toAbsolutePath();

  @Test
  void sample_doesWhatItSays() throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).database();
    database.run("CREATE TABLE recording (id bigint PRIMARY KEY)");
    database.run("INSERT INTO recording VALUES (42)");
    DataSource dataSource = database.dataSource();
    Path take = Files.createTempFile("take", ".flac");
    byte[] moreBytes = Bytes.random(2, 5000);
    try {
      Files.write(take, Bytes.random(1, 1_000_000));
      // sample
      PgToaster toaster = PgToaster.create(dataSource);
      toaster.catalog().install();
      toaster.catalog().attach("recording", "audio", BlobOptions.defaults());
      BlobColumn audio = toaster.blobs("recording", "audio");
      try (InputStream in = Files.newInputStream(take)) {
        audio.append(42, in);
      }
      audio.append(42, moreBytes);
      byte[] range = audio.read(42, 1_000_000, 4_096);
      // end
      assertThat(range).isEqualTo(Bytes.slice(moreBytes, 0, 4096));
      assertThat(audio.length(42)).isEqualTo(1_005_000);
    } finally {
      Files.delete(take);
    }
  }

  @Test
  void sample_isTheReadmes() throws Exception {
    List<String> here =
        Files.readAllLines(SELF).stream()
            .map(String::strip)
            .dropWhile(line -> !line.equals("// sample"))
            .skip(1)
            .takeWhile(line -> !line.equals("// end"))
            .map(line -> line.replace("(take)", "(Path.of(\"take-1.flac\"))"))
            .toList();
    List<String> readme =
        Files.readAllLines(SELF.resolve("../../../../../../../../README.md").normalize()).stream()
            .dropWhile(line -> !line.equals("```java"))
            .skip(1)
            .takeWhile(line -> !line.equals("```"))
            .map(line -> line.replaceAll("//.*", "").strip())
            .filter(line -> !line.isEmpty())
            .toList();
    assertThat(readme).isEqualTo(here);
  }
}
