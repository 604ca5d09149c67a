package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the sample of docs/operations.md unchanged. */
class LockSampleIT {
  private static final Path SELF =
      Path.of("src/test/java/io/pgtoaster/it/docs/LockSampleIT.java").toAbsolutePath();
  private static final Path PAGE = Path.of("../docs/operations.md").toAbsolutePath().normalize();

  @Test
  void sample_worksAsDocumented() throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).installed();
    database.run("CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb)");
    database.run("INSERT INTO person VALUES (7)");
    DataSource dataSource = database.dataSource();
    PgToaster toaster = PgToaster.create(dataSource);
    toaster.catalog().attach("person", "doc", JsonOptions.defaults());
    DocumentColumn people = toaster.documents("person", "doc");
    people.putJson(7, "{\"address\": {\"city\": \"Bonn\"}, \"moves\": []}");
    // sample
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      DocumentColumn locked = people.on(connection);
      locked.lock(7); // a second caller waits here
      locked.at(7, "address.city").set("Berlin");
      locked.at(7, "moves").append(Map.of("to", "Berlin", "in", 2026));
      connection.commit();
    }
    // end
    assertThat(people.at(7, "address.city").get(String.class)).contains("Berlin");
    assertThat(people.at(7, "moves").size()).hasValue(1);
    database.close();
  }

  @Test
  void sample_matchesThePage() throws Exception {
    List<String> here =
        Files.readAllLines(SELF).stream()
            .map(String::strip)
            .dropWhile(line -> !line.equals("// sample"))
            .skip(1)
            .takeWhile(line -> !line.equals("// end"))
            .toList();
    List<String> page =
        Files.readString(PAGE)
            .split("```java\n", 2)[1]
            .split("```", 2)[0]
            .lines()
            .map(String::strip)
            .toList();
    assertThat(page).isEqualTo(here);
  }
}
