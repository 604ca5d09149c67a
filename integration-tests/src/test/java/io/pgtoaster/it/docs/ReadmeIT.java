package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the sample of the README unchanged. */
class ReadmeIT {
  private static final Path SELF =
      Path.of("src/test/java/io/pgtoaster/it/docs/ReadmeIT.java").toAbsolutePath();

  @Test
  void sample_worksAsDocumented_twice() throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).database();
    database.run("CREATE TABLE recording (id bigint PRIMARY KEY)");
    database.run("INSERT INTO recording VALUES (42)");
    database.run("CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb)");
    database.run("INSERT INTO person VALUES (7)");
    sample(database.dataSource(), 0);
    sample(database.dataSource(), 1_005_000);
  }

  private static void sample(DataSource dataSource, long before) throws Exception {
    Path take = Files.createTempFile("take", ".flac");
    byte[] moreBytes = Bytes.random(2, 5000);
    try {
      Files.write(take, Bytes.random(1, 1_000_000));
      // sample
      PgToaster toaster = PgToaster.create(dataSource);
      toaster.catalog().install();
      toaster.catalog().attachIfAbsent("recording", "audio", BlobOptions.defaults());
      BlobColumn audio = toaster.blobs("recording", "audio");
      try (InputStream in = Files.newInputStream(take)) {
        audio.append(42, in);
      }
      audio.append(42, moreBytes);
      byte[] range = audio.read(42, 1_000_000, 4_096);
      toaster.catalog().attachIfAbsent("person", "doc", JsonOptions.defaults());
      DocumentColumn people = toaster.documents("person", "doc");
      people.putJson(
          7,
          """
          {"name": "Ann", "height": 180, "roles": []}""");
      people.at(7, "roles").append(Map.of("title", "Hamlet", "year", 1996));
      people.at(7, "roles[0]").insert(Map.of("title", "Dune", "year", 1984));
      people.at(7, "roles[1].year").set(1997);
      String title = people.at(7, "roles[-1].title").get(String.class).orElseThrow();
      // end
      assertThat(title).isEqualTo("Hamlet");
      assertThat(people.at(7, "roles[1].year").get(Integer.class)).hasValue(1997);
      if (before == 0) {
        assertThat(range).isEqualTo(Bytes.slice(moreBytes, 0, 4096));
      }
      assertThat(audio.length(42)).isEqualTo(before + 1_005_000);
    } finally {
      Files.delete(take);
    }
  }

  @Test
  void sample_matchesTheReadme() throws Exception {
    List<String> here =
        Files.readAllLines(SELF).stream()
            .map(String::strip)
            .dropWhile(line -> !line.equals("// sample"))
            .skip(1)
            .takeWhile(line -> !line.equals("// end"))
            .map(line -> line.replace("(take)", "(Path.of(\"take-1.flac\"))"))
            .toList();
    List<String> readme = new ArrayList<>();
    boolean sample = false;
    for (String line : Files.readAllLines(Path.of("../README.md"))) {
      boolean fence = line.startsWith("```");
      sample = fence ? line.equals("```java") : sample;
      String code = line.replaceAll("//.*", "").strip();
      if (sample && !fence && !code.isEmpty()) {
        readme.add(code);
      }
    }
    assertThat(words(readme)).isEqualTo(words(here));
  }

  /** The formatter adds line breaks that the README does not have. */
  private static String words(List<String> lines) {
    return String.join("", lines).replace(" ", "");
  }
}
