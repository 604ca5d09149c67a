package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the program of docs/multi-tenant.md unchanged. The second tenant cannot access the first
 * one's data through the API, or change it with SQL on the stores.
 */
class MultiTenantIT {
  private static final Path SELF =
      Path.of("src/test/java/io/pgtoaster/it/docs/MultiTenantIT.java").toAbsolutePath();
  private static final Path PAGE = Path.of("../docs/multi-tenant.md").toAbsolutePath().normalize();
  private static final Pattern SAMPLE = Pattern.compile("```sql\n\\s*-- as (.*)\n([^`]*)```");
  private static final Pattern STATEMENT =
      Pattern.compile("(?s)(.+?);[ ]*(?:--> (?:ERROR (\\w+)|([^\n]+)))?\n");
  private static final List<String> ROLES =
      List.of("tenant_a", "tenant_b", "media_tenants", "media_app", "media_owner", "toaster_owner");

  /** SQL of the page, with the roles that run it. */
  private record Sample(List<String> roles, String text) {}

  private static List<Sample> samples() throws IOException {
    List<Sample> samples = new ArrayList<>();
    Matcher found = SAMPLE.matcher(Files.readString(PAGE));
    while (found.find()) {
      samples.add(new Sample(List.of(found.group(1).split(", ")), found.group(2)));
    }
    return samples;
  }

  private static void run(Database database, Sample sample) throws SQLException {
    for (String role : sample.roles()) {
      try (Connection c =
          role.equals("administrator") ? database.connect() : database.connect(role)) {
        if (sample.roles().size() > 1 && role.equals("media_app")) {
          Sql.run(c, "SET app.tenant = 'tenant_b'");
        }
        Matcher each = STATEMENT.matcher(sample.text());
        int end = 0;
        for (; each.find(); end = each.end()) {
          check(c, role, each);
        }
        assertThat(sample.text().substring(end)).isBlank();
      }
    }
  }

  private static void check(Connection c, String role, Matcher statement) throws SQLException {
    String sql =
        statement.group(1).replace("ON DATABASE media ", "ON DATABASE " + c.getCatalog() + " ");
    if (statement.group(2) != null) {
      assertThatThrownBy(() -> Sql.run(c, sql), "%s: %s", role, sql)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(statement.group(2)));
    } else if (statement.group(3) != null) {
      assertThat(Sql.strings(c, sql)).as("%s: %s", role, sql).containsExactly(statement.group(3));
    } else {
      Sql.run(c, sql);
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void tenants_cannotAccessEachOthersContent(Setting setting) throws Exception {
    Database database = PostgresServers.shared(setting.version()).database();
    try {
      List<Sample> samples = samples();
      assertThat(samples).hasSize(8);
      run(database, samples.get(0));
      if (setting.extension()) {
        database.run("CREATE EXTENSION pgtoaster");
      }
      PgToaster.create(database.dataSource("toaster_owner")).catalog().install();
      run(database, samples.get(1));
      run(database, samples.get(2));
      byte[] audio = Bytes.random(3, 40_000);
      System.arraycopy(new byte[] {'R', 'I', 'F', 'F'}, 0, audio, 0, 4);
      String notes =
          "{\"speakers\": [{\"name\": \"Ada\", \"said\": \"%s\"}]}".formatted("word ".repeat(5000));
      store(database.dataSource("media_app"), audio, notes);
      run(database, samples.get(3));
      run(database, samples.get(4));
      List<String> before = everything(database);
      run(database, samples.get(5));
      for (String role : List.of("media_app", "tenant_b")) {
        try (Connection c = database.connect(role)) {
          c.setAutoCommit(false);
          Sql.run(c, "SELECT set_config('app.tenant', 'tenant_b', true)");
          apiGivesNothing(PgToaster.create(database.dataSource(role)), c);
          storesAreNotChanged(c);
          c.commit();
        }
      }
      assertThat(everything(database)).isEqualTo(before);
      run(database, samples.get(6));
      run(database, samples.get(7));
      PgToaster owner = PgToaster.create(database.dataSource("media_owner"));
      owner.catalog().gc(GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO));
      assertThat(owner.blobs(ColumnName.of("media", "recording", "audio")).read(1, 0, 50_000))
          .isEqualTo(audio);
      assertThat(owner.documents(ColumnName.of("media", "recording", "notes")).verify(1)).isEmpty();
    } finally {
      for (String role : ROLES) {
        database.run("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
      }
      database.close();
    }
  }

  private static void store(DataSource dataSource, byte[] audio, String notes) throws Exception {
    // sample
    PgToaster toaster = PgToaster.create(dataSource);
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement as =
          connection.prepareStatement("SELECT set_config('app.tenant', ?, true)")) {
        as.setString(1, "tenant_a"); // from the logged-in user, never from a parameter
        as.execute();
      }
      try (Statement insert = connection.createStatement()) {
        insert.execute(
            "INSERT INTO media.recording (tenant, title) VALUES ('tenant_a', 'Interview')");
      }
      toaster.blobs(ColumnName.of("media", "recording", "audio")).on(connection).append(1, audio);
      toaster
          .documents(ColumnName.of("media", "recording", "notes"))
          .on(connection)
          .putJson(1, notes);
      connection.commit();
    }
    // end
  }

  private static void apiGivesNothing(PgToaster pgToaster, Connection c) {
    BlobColumn blobs = pgToaster.blobs(ColumnName.of("media", "recording", "audio")).on(c);
    Expect.refused(RowNotFoundException.class, () -> blobs.length(1));
    Expect.refused(RowNotFoundException.class, () -> blobs.read(1, 0, 10));
    Expect.refused(RowNotFoundException.class, () -> blobs.append(1, new byte[1]));
    Expect.refused(RowNotFoundException.class, () -> blobs.append(1, new byte[20_000]));
    Expect.refused(RowNotFoundException.class, () -> blobs.write(1, 0, new byte[1]));
    Expect.refused(RowNotFoundException.class, () -> blobs.truncate(1, 0));
    Expect.refused(RowNotFoundException.class, () -> blobs.copy(1, 3));
    Expect.refused(RowNotFoundException.class, () -> blobs.delete(1));
    DocumentColumn documents =
        pgToaster.documents(ColumnName.of("media", "recording", "notes")).on(c);
    Expect.refused(RowNotFoundException.class, () -> documents.text(1));
    Expect.refused(RowNotFoundException.class, () -> documents.at(1, "speakers.0.name").get());
    Expect.refused(RowNotFoundException.class, () -> documents.at(1, "speakers.0.name").set("x"));
    Expect.refused(RowNotFoundException.class, () -> documents.at(1, "speakers").append("x"));
    Expect.refused(RowNotFoundException.class, () -> documents.putJson(1, "{}"));
    assertThat(documents.getAll(List.of(1, 3), "speakers")).isEmpty();
  }

  /**
   * This is true even if the tenant knows the numbers, because the stores show no rows of other
   * tenants.
   */
  private static void storesAreNotChanged(Connection c) throws SQLException {
    try (Statement s = c.createStatement()) {
      for (String change :
          List.of(
              "UPDATE media.recording SET title = 'x' WHERE id = 1",
              "DELETE FROM media.recording WHERE id = 1",
              "UPDATE media.store_1_head SET base = 0",
              "DELETE FROM media.store_1_head",
              "UPDATE media.store_1_chunk SET data = ''",
              "DELETE FROM media.store_1_chunk",
              "DELETE FROM media.store_1_piece",
              "UPDATE media.store_2_head SET generation = 3",
              "DELETE FROM media.store_2_head",
              "UPDATE media.store_2_node SET value = '1'",
              "DELETE FROM media.store_2_node")) {
        assertThat(s.executeUpdate(change)).as(change).isZero();
      }
    }
  }

  private static List<String> everything(Database database) {
    List<String> all = new ArrayList<>();
    for (String table :
        List.of(
            "recording",
            "store_1_head",
            "store_1_chunk",
            "store_1_piece",
            "store_1_garbage",
            "store_2_head",
            "store_2_node",
            "store_2_garbage")) {
      all.addAll(database.strings("SELECT t::text FROM media." + table + " t ORDER BY 1"));
    }
    return all;
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
