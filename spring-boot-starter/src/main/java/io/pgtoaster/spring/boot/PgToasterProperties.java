package io.pgtoaster.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Properties of pgtoaster.
 *
 * @param datasource Name of the DataSource bean to use. By default, this is the only DataSource, or
 *     the primary one.
 * @param extension Whether to call the functions of the server extension if it is installed.
 * @param schema Database objects that are created at startup.
 */
@ConfigurationProperties("pgtoaster")
public record PgToasterProperties(
    @Nullable String datasource,
    @DefaultValue("true") boolean extension,
    @DefaultValue Schema schema) {

  /**
   * Database objects that are created at startup.
   *
   * @param initialize When to install the catalog, before Flyway, Liquibase and JPA: always, never,
   *     or only on an embedded server. A server counts as embedded if the application or its test
   *     starts it. A bean of type JdbcConnectionDetails then provides its address instead of
   *     spring.datasource.*, as for a container.
   * @param attach Whether to attach the columns of entities that are not attached, if their tables
   *     exist. Requires that the catalog is installed at startup.
   * @param check Whether startup fails if, after migrations, the catalog is older or newer than
   *     this library.
   */
  public record Schema(
      @DefaultValue("always") DatabaseInitializationMode initialize,
      @DefaultValue("true") boolean attach,
      @DefaultValue("true") boolean check) {}
}
