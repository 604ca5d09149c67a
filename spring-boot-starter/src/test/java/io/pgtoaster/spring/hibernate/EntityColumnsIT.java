package io.pgtoaster.spring.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import io.pgtoaster.spring.kit.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Columns of entities are attached at startup if their tables exist. */
@Tag("ci")
class EntityColumnsIT {
  private final TestDatabase database = TestDatabase.empty();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues(database.properties())
          .withUserConfiguration(Entities.class)
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  HibernateJpaAutoConfiguration.class,
                  EntitiesAutoConfiguration.class,
                  PgToasterAutoConfiguration.class));

  @AutoConfigurationPackage
  static class Entities {}

  private void makeTable() {
    database.run(
        "CREATE TABLE talk (id int PRIMARY KEY, audio bigint, notes jsonb)",
        "INSERT INTO talk VALUES (1)");
  }

  private String attached() {
    return database.value(
        "SELECT string_agg(column_name || ' ' || toaster, ', ' ORDER BY column_name)"
            + " FROM pgtoaster.attached_column");
  }

  @Test
  void existingTables_areAttached() {
    makeTable();
    runner.run(
        context -> {
          assertThat(attached()).isEqualTo("audio appendable, notes keyed");
          context.getBean(PgToaster.class).blobs("talk", "audio").append(1, new byte[3]);
        });
    runner.run(context -> assertThat(context).hasNotFailed());
    assertThat(attached()).isEqualTo("audio appendable, notes keyed");
  }

  @Test
  void tablesCreatedByHibernate_areAttached() {
    runner
        .withPropertyValues("spring.jpa.hibernate.ddl-auto=update")
        .run(context -> assertThat(attached()).isEqualTo("audio appendable, notes keyed"));
  }

  @Test
  void columnsAddedByHibernate_areAttached() {
    database.run("CREATE TABLE talk (id int PRIMARY KEY, audio bigint)");
    runner
        .withPropertyValues("spring.jpa.hibernate.ddl-auto=update")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(attached()).isEqualTo("audio appendable, notes keyed");
            });
  }

  @Test
  void columnWithFewerInlinePaths_isRefusedWithAdvice() {
    makeTable();
    runner.run(context -> assertThat(context).hasNotFailed());
    database.run("SELECT pgtoaster.set_options('talk', 'notes', '{\"keep_inline\": []}')");
    runner
        .withPropertyValues("spring.jpa.hibernate.ddl-auto=update")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("pgtoaster.set_options('public.talk', 'notes'"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "never"})
  void deferredScripts_runAfterHibernate_whichFindsTheCatalog(String mode, @TempDir Path folder)
      throws Exception {
    if (mode.equals("never")) {
      database.toaster().catalog().install();
    }
    Path script = folder.resolve("data.sql");
    Files.writeString(script, "INSERT INTO talk (id, notes) VALUES (1, '{\"speaker\": \"Ada\"}')");
    runner
        .withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
        .withPropertyValues(
            "spring.jpa.defer-datasource-initialization=true",
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.sql.init.mode=always",
            "spring.sql.init.data-locations=" + script.toUri(),
            "pgtoaster.schema.initialize=" + mode)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(attached()).isEqualTo("audio appendable, notes keyed");
              assertThat(database.value("SELECT notes->>'speaker' FROM talk")).isEqualTo("Ada");
            });
  }

  @Test
  void missingTables_areIgnored() {
    runner.run(
        context -> {
          assertThat(context).hasNotFailed();
          assertThat(attached()).isNull();
        });
  }

  @Test
  void nothing_isAttached_ifDisabled() {
    makeTable();
    runner
        .withPropertyValues("pgtoaster.schema.attach=false")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(attached()).isNull();
            });
  }
}
