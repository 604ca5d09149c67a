package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.spring.kit.TestDatabase;
import io.pgtoaster.spring.tus.TusAutoConfiguration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/**
 * {@code pgtoaster.schema.initialize=embedded} installs only on a server that the application
 * starts.
 */
class EmbeddedServerIT {
  private final TestDatabase database = TestDatabase.empty();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues("pgtoaster.schema.initialize=embedded")
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class, PgToasterAutoConfiguration.class));

  /** Provides the address of a database, like a container or a service. */
  private record Details(TestDatabase database, String parameters)
      implements JdbcConnectionDetails {
    @Override
    public String getUsername() {
      return database.user();
    }

    @Override
    public String getPassword() {
      return database.password();
    }

    @Override
    public String getJdbcUrl() {
      return database.url() + parameters;
    }
  }

  private ApplicationContextRunner brought() {
    return runner.withBean(JdbcConnectionDetails.class, () -> new Details(database, ""));
  }

  private static void installs(ApplicationContextRunner runner, int version) {
    runner.run(
        context -> {
          assertThat(context).hasNotFailed();
          assertThat(context.getBean(PgToaster.class).catalog().installedVersion())
              .isEqualTo(version);
        });
  }

  @Test
  void serverOfTheApplication_getsTheCatalog() {
    installs(brought(), ColumnLookup.CATALOG_VERSION);
  }

  @Test
  void serverOfTheApplication_getsTheTableOfUploads() {
    new WebApplicationContextRunner()
        .withPropertyValues(
            "pgtoaster.schema.initialize=embedded",
            "pgtoaster.tus.enabled=true",
            "pgtoaster.tus.table=film",
            "pgtoaster.tus.column=content")
        .withBean(JdbcConnectionDetails.class, () -> new Details(database, ""))
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                PgToasterAutoConfiguration.class,
                TusAutoConfiguration.class))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(database.value("SELECT to_regclass('pgtoaster_upload')")).isNotNull();
            });
  }

  @Test
  void connectionParameters_doNotPreventInstallation() {
    String parameters = (database.url().contains("?") ? "&" : "?") + "ApplicationName=embedded";
    installs(
        runner
            .withBean(JdbcConnectionDetails.class, () -> new Details(database, parameters))
            .withPropertyValues("spring.datasource.type=" + PGSimpleDataSource.class.getName()),
        ColumnLookup.CATALOG_VERSION);
  }

  @Test
  void serverNamedByProperties_getsNoCatalog() {
    installs(runner.withPropertyValues(database.properties()), 0);
    assertThat(database.value("SELECT to_regnamespace('pgtoaster')")).isNull();
  }

  @Test
  void otherDataSource_getsNoCatalog_nextToAnApplicationsServer() {
    TestDatabase other = TestDatabase.empty();
    installs(brought().withBean("other", DataSource.class, other::dataSource), 0);
    // A separate DataSource for the server in the connection details also counts as embedded.
    HikariDataSource own = new HikariDataSource();
    own.setJdbcUrl(database.url());
    own.setUsername(database.user());
    own.setPassword(database.password());
    installs(brought().withBean("own", DataSource.class, () -> own), ColumnLookup.CATALOG_VERSION);
  }

  @Test
  void otherDatabase_isNotQueriedForACatalog() {
    runner
        .withPropertyValues(
            "spring.datasource.url=jdbc:h2:mem:slice", "pgtoaster.schema.check=false")
        .run(context -> assertThat(context).hasNotFailed());
  }
}
