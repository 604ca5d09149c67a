package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the class of docs/scale-out.md that selects a database for each tenant, unchanged. */
class TenantDatabasesIT {
  private static final Path SELF =
      Path.of("src/test/java/io/pgtoaster/it/docs/TenantDatabasesIT.java").toAbsolutePath();
  private static final Path PAGE = Path.of("../docs/scale-out.md").toAbsolutePath().normalize();

  // sample
  static final class TenantDatabases {
    private final Map<String, PgToaster> known = new ConcurrentHashMap<>();
    private final Function<String, DataSource> dataSources;

    TenantDatabases(Function<String, DataSource> dataSources) {
      this.dataSources = dataSources;
    }

    PgToaster of(String tenant) {
      return known.computeIfAbsent(tenant, t -> PgToaster.create(dataSources.apply(t)));
    }
  }

  // end

  @Test
  void tenants_haveSeparateDatabases() throws Exception {
    Map<String, Database> databases =
        Map.of(
            "a", PostgresServers.shared(PostgresServers.newest()).installed(),
            "b", PostgresServers.shared(PostgresServers.newest()).installed());
    // The numbers of stores may differ between the databases.
    databases.get("b").run("CREATE TABLE other (id bigint PRIMARY KEY)");
    databases.get("b").run("SELECT pgtoaster.attach('other', 'content')");
    for (Database database : databases.values()) {
      database.run(
          "CREATE TABLE item (id bigint PRIMARY KEY)",
          "INSERT INTO item VALUES (1)",
          "SELECT pgtoaster.attach('item', 'content'), pgtoaster.attach('item', 'doc', 'keyed')");
    }
    TenantDatabases tenants = new TenantDatabases(t -> databases.get(t).dataSource());
    for (String tenant : List.of("a", "b", "a", "b")) {
      tenants.of(tenant).blobs("item", "content").append(1, Bytes.random(tenant.charAt(0), 9000));
      tenants.of(tenant).documents("item", "doc").putJson(1, "{\"of\": \"" + tenant + "\"}");
    }
    for (String tenant : List.of("a", "b")) {
      PgToaster toaster = tenants.of(tenant);
      assertThat(toaster).isSameAs(tenants.of(tenant));
      assertThat(toaster.blobs("item", "content").read(1, 9000, 9000))
          .isEqualTo(Bytes.random(tenant.charAt(0), 9000));
      assertThat(toaster.documents("item", "doc").text(1)).contains("{\"of\": \"" + tenant + "\"}");
      databases.get(tenant).close();
    }
  }

  @Test
  void javaSample_matchesThePage() throws IOException {
    assertThat(words(Files.readString(PAGE).split("```java\n", 2)[1].split("```", 2)[0]))
        .isEqualTo(
            words(Files.readString(SELF).split("// sample\n", 2)[1].split("// end\n", 2)[0]));
  }

  /** Line breaks may differ. */
  private static String words(String code) {
    return code.replaceAll("\\s+", "");
  }
}
