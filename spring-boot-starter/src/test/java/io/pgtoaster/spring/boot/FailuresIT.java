package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.spring.kit.TestDatabase;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The messages of applications that fail to start. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class FailuresIT {
  private final TestDatabase database = TestDatabase.empty();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @Configuration(proxyBeanMethods = false)
  static class User {
    @Bean
    List<PgToaster> uses(PgToaster toaster) {
      return List.of(toaster);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OneOfThem {
    @Bean
    List<PgToaster> uses(ApplicationContext context) {
      return List.of(context.getBean(PgToaster.class));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoEntryPoints {
    @Bean
    PgToaster hot(DataSource dataSource) {
      return PgToaster.create(dataSource);
    }

    @Bean
    PgToaster cold(DataSource dataSource) {
      return PgToaster.create(dataSource);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {
    @Bean
    DataSource first() {
      return new PGSimpleDataSource();
    }

    @Bean
    DataSource second() {
      return new PGSimpleDataSource();
    }
  }

  private static void start(List<Class<?>> sources, String... properties) {
    try (var context =
        new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
            .properties("spring.main.web-application-type=none", "spring.main.banner-mode=off")
            .properties("spring.jpa.open-in-view=false")
            .properties(properties)
            .run()) {
      throw new AssertionError("it started: " + context);
    } catch (RuntimeException e) {
      // Only the printed message matters.
    }
  }

  private static void start(String... properties) {
    start(List.of(Application.class), properties);
  }

  @Test
  void newerCatalog_isRefusedWithAdvice(CapturedOutput output) {
    PgToaster.create(database.dataSource()).catalog().install();
    database.run("UPDATE pgtoaster.version SET version = 99");
    start(database.properties());
    assertThat(output).contains("APPLICATION FAILED TO START").contains("version 99");
    assertThat(output).contains("If the catalog is newer");
  }

  @Test
  void newerCatalog_isRefused_evenIfNothingIsInstalledAtStart(CapturedOutput output) {
    PgToaster.create(database.dataSource()).catalog().install();
    database.run("UPDATE pgtoaster.version SET version = 99");
    start(database.properties("pgtoaster.schema.initialize=never"));
    assertThat(output)
        .contains("The catalog of pgtoaster has version 99")
        .contains("Update pgtoaster");
  }

  @Test
  void olderCatalog_isRefusedWithTheUpgradeSteps(CapturedOutput output) {
    PgToaster.create(database.dataSource()).catalog().install();
    database.run("UPDATE pgtoaster.version SET version = 13");
    start(database.properties("pgtoaster.schema.initialize=never"));
    assertThat(output)
        .contains("The catalog of pgtoaster has version 13,")
        .contains("pgtoaster.schema.initialize=always");
    database.run("UPDATE pgtoaster.version SET version = 1");
    start(database.properties("pgtoaster.schema.initialize=never"));
    assertThat(output)
        .contains("The catalog of pgtoaster has version 1,")
        .contains("DROP SCHEMA pgtoaster CASCADE");
  }

  @Test
  void missingPrivilege_isReportedWithASolution(CapturedOutput output) {
    start(database.asNewRole("nobody_much").properties());
    assertThat(output)
        .contains("cannot be installed or read: ERROR: role ")
        .contains("pgtoaster install --print");
  }

  @Test
  void otherDatabase_isReported(CapturedOutput output) {
    start("spring.datasource.url=jdbc:h2:mem:other");
    assertThat(output)
        .contains("pgtoaster requires PostgreSQL, but the DataSource connects to H2.")
        .contains("pgtoaster.datasource");
  }

  @Test
  void severalDataSources_areListed_ifABeanIsRequired(CapturedOutput output) {
    start(
        List.of(Application.class, TwoDataSources.class, User.class),
        "spring.main.lazy-initialization=false");
    assertThat(output).contains("DataSources: first, second.").contains("pgtoaster.datasource");
  }

  @Test
  void severalEntryPoints_areNotReportedAsMissing(CapturedOutput output) {
    start(
        List.of(Application.class, TwoEntryPoints.class, OneOfThem.class),
        database.properties("pgtoaster.schema.check=false"));
    assertThat(output)
        .contains("required a single bean, but 2 were found")
        .doesNotContain("There is no PgToaster");
  }

  @Test
  void entryPointMissingForAnotherReason_isNotBlamedOnTheDataSource(CapturedOutput output) {
    start(
        List.of(Application.class, OneOfThem.class),
        database.properties(
            "spring.autoconfigure.exclude=" + PgToasterAutoConfiguration.class.getName()));
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .doesNotContain("it is unclear which DataSource");
  }

  /** Follows the advice for another database literally. */
  @Test
  void otherDatabase_isAccepted_ifNothingIsInstalled() {
    try (var context =
        new SpringApplicationBuilder(Application.class)
            .properties("spring.main.web-application-type=none", "spring.main.banner-mode=off")
            .properties("spring.datasource.url=jdbc:h2:mem:quiet")
            .properties("pgtoaster.schema.initialize=never")
            .run()) {
      assertThat(context.getBean(PgToaster.class)).isNotNull();
    }
  }

  /** Follows the advice for a missing privilege literally. */
  @Test
  void roleWithoutPrivileges_canUseACatalogInstalledByAnother() {
    PgToaster owner = database.toaster();
    owner.catalog().install();
    database.run(
        "CREATE TABLE note (id int PRIMARY KEY, text bigint)", "INSERT INTO note VALUES (1)");
    TestDatabase modest = database.asNewRole("modest");
    database.run("GRANT SELECT, UPDATE ON note TO modest");
    owner.catalog().attach("note", "text", BlobOptions.defaults());
    try (var context =
        new SpringApplicationBuilder(Application.class)
            .properties("spring.main.web-application-type=none", "spring.main.banner-mode=off")
            .properties(modest.properties("pgtoaster.schema.initialize=never"))
            .run()) {
      context.getBean(PgToaster.class).blobs("note", "text").append(1, new byte[3]);
    }
    assertThat(owner.blobs("note", "text").length(1)).isEqualTo(3);
  }

  @Test
  void unknownDataSourceName_isReportedWithTheExistingNames(CapturedOutput output) {
    start(database.properties("pgtoaster.datasource=reports"));
    assertThat(output)
        .contains("pgtoaster.datasource names \"reports\"")
        .contains("DataSources: dataSource");
  }
}
