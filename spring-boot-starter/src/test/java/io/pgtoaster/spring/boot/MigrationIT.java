package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.spring.flyway.CatalogMigration;
import io.pgtoaster.spring.kit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.migration.JavaMigration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The catalog exists before migrations and JPA start, or a migration installs it. */
@Tag("ci")
class MigrationIT {
  private final TestDatabase database = TestDatabase.empty();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues(database.properties())
          .withUserConfiguration(Entities.class)
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  FlywayAutoConfiguration.class,
                  LiquibaseAutoConfiguration.class,
                  HibernateJpaAutoConfiguration.class,
                  PgToasterAutoConfiguration.class));

  @AutoConfigurationPackage
  static class Entities {}

  /** A migration as an application would write it. */
  @SuppressWarnings("checkstyle:TypeName")
  static final class V1__pgtoaster extends CatalogMigration {}

  private void appends(ApplicationContextRunner application) {
    application.run(
        context -> {
          assertThat(context).hasNotFailed();
          PgToaster toaster = context.getBean(PgToaster.class);
          toaster.blobs("note", "text").append(1, new byte[7]);
          assertThat(toaster.blobs("note", "text").describe().toaster()).isEqualTo("appendable");
          assertThat(
                  context.getBeanFactory().getBeanDefinition("entityManagerFactory").getDependsOn())
              .contains("pgToasterSchemaInitializer");
        });
  }

  private ApplicationContextRunner flyway(String location) {
    return runner.withPropertyValues(
        "spring.liquibase.enabled=false", "spring.flyway.locations=classpath:flyway/" + location);
  }

  private ApplicationContextRunner liquibase(String changelog) {
    return runner.withPropertyValues(
        "spring.flyway.enabled=false",
        "spring.liquibase.change-log=classpath:liquibase/" + changelog);
  }

  @Test
  void flywayMigration_findsTheCatalogInstalled() {
    appends(flyway("always"));
  }

  @Test
  void liquibaseChangelog_findsTheCatalogInstalled() {
    appends(liquibase("always.yaml"));
  }

  @Test
  void flywayMigration_installsTheCatalog() {
    ApplicationContextRunner byMigration =
        flyway("byMigration")
            .withPropertyValues("pgtoaster.schema.initialize=never")
            .withBean(JavaMigration.class, V1__pgtoaster::new);
    appends(byMigration);
    assertThat(database.value("SELECT string_agg(version, ',') FROM flyway_schema_history"))
        .isEqualTo("1,2");
    appends(byMigration);
  }

  @Test
  void liquibaseChangelog_installsTheCatalog() {
    ApplicationContextRunner byChangelog =
        liquibase("by-changelog.yaml").withPropertyValues("pgtoaster.schema.initialize=never");
    appends(byChangelog);
    assertThat(
            database.value(
                "SELECT string_agg(id, ',' ORDER BY orderexecuted) FROM databasechangelog"))
        .isEqualTo("pgtoaster-catalog,note");
    appends(byChangelog);
  }

  @Test
  void liquibaseChangelog_runsAgain_afterTheLibraryHasChangedIt() {
    ApplicationContextRunner byChangelog =
        liquibase("by-changelog.yaml").withPropertyValues("pgtoaster.schema.initialize=never");
    appends(byChangelog);
    database.run(
        "UPDATE databasechangelog SET md5sum = '9:00000000000000000000000000000000'"
            + " WHERE id = 'pgtoaster-catalog'");
    appends(byChangelog);
    assertThat(
            database.value("SELECT exectype FROM databasechangelog WHERE id = 'pgtoaster-catalog'"))
        .isEqualTo("RERAN");
  }

  @Test
  void publishedChangelog_containsEveryScriptOfTheLibrary() throws IOException {
    String expected =
        Catalog.scriptNames().stream().map(Catalog::script).collect(Collectors.joining("\n"));
    try (InputStream in = getClass().getResourceAsStream("/io/pgtoaster/liquibase/catalog.sql")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text).startsWith("--liquibase formatted sql\n").endsWith(expected);
    }
  }

  /** Runs the output of {@code pgtoaster install --print} as an SQL migration. */
  @Test
  void flywayScripts_installAndAttach_repeatedly(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("V1__catalog.sql"),
        Catalog.scriptNames().stream().map(Catalog::script).collect(Collectors.joining("\n")));
    Files.writeString(
        folder.resolve("V2__note.sql"),
        "CREATE TABLE note (id int PRIMARY KEY, text bigint); INSERT INTO note VALUES (1);");
    String attach =
        "SELECT pgtoaster.attach_if_absent('note', 'text', 'appendable', '{\"tail\": %d}');";
    Path repeated = folder.resolve("R__columns.sql");
    ApplicationContextRunner scripts =
        runner.withPropertyValues(
            "spring.liquibase.enabled=false",
            "spring.flyway.locations=filesystem:" + folder,
            "spring.flyway.clean-disabled=false",
            "pgtoaster.schema.initialize=never");
    for (int tail : new int[] {100, 200}) {
      Files.writeString(repeated, attach.formatted(tail));
      appends(scripts);
    }
    assertThat(database.value("SELECT count(*) FROM flyway_schema_history WHERE version IS NULL"))
        .isEqualTo("2");
    scripts.run(context -> context.getBean(Flyway.class).clean());
    appends(scripts);
    // Flyway cleans its own schema, so the store of the dropped table is still in pgtoaster.
    assertThat(
            database.value(
                "SELECT count(*) FROM pgtoaster.attached_column"
                    + " WHERE owner = CAST('note' AS regclass)"))
        .isEqualTo("1");
  }

  @Test
  void laterStart_doesNotChangeAnExistingCatalog() {
    appends(flyway("always"));
    String before =
        database.value(
            "SELECT max(xmin::text::bigint) FROM pg_proc WHERE pronamespace = 'pgtoaster'::regnamespace");
    appends(flyway("always"));
    assertThat(
            database.value(
                "SELECT max(xmin::text::bigint) FROM pg_proc WHERE pronamespace = 'pgtoaster'::regnamespace"))
        .isEqualTo(before);
  }
}
