package io.pgtoaster.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.PostgresServers;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands on a server with the extension. */
@NeedsExtension
class CliExtensionIT {
  @Test
  void install_installsTheExtension_statusShowsIt_andCommandsWorkWithoutIt() throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).database();
    try (CliHome home = CliHome.create()) {
      home.keepJvm(database.server().postgres().password());
      assertThat(run(home, database, "install")).doesNotContain("extension");
      database.run(
          "CREATE TABLE item (id bigint PRIMARY KEY)",
          "INSERT INTO item VALUES (1)",
          "SELECT pgtoaster.attach('item', 'content')");
      assertThat(run(home, database, "status"))
          .contains("server extension: not installed", "CREATE EXTENSION pgtoaster");
      assertThat(run(home, database, "install", "--extension"))
          .contains("server extension", ": used");
      assertThat(run(home, database, "status")).contains("server extension", ": used");
      String[] stat = {"stat", "--table", "item", "--column", "content", "1"};
      String byExtension = run(home, database, stat);
      assertThat(run(home, database, append(stat, "--no-extension"))).isEqualTo(byExtension);
    } finally {
      database.close();
    }
  }

  private static String[] append(String[] command, String... more) {
    return Stream.concat(Arrays.stream(command), Arrays.stream(more)).toArray(String[]::new);
  }

  private static String run(CliHome home, Database database, String... command) throws Exception {
    EmbeddedPostgres postgres = database.server().postgres();
    String url = postgres.jdbcUrl(database.name()) + "&user=" + postgres.user();
    CliHome.Result result = home.run(append(new String[] {"--url", url}, command));
    return result.output() + result.errors();
  }
}
