package io.pgtoaster.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Properties of pgtoaster.
 *
 * @param datasource Name of the DataSource bean to use. By default the only one, or the primary
 *     one.
 * @param extension Whether functions of the server extension are called where it is installed.
 * @param schema What is made in the database at start.
 */
@ConfigurationProperties("pgtoaster")
public record PgToasterProperties(
    @Nullable String datasource,
    @DefaultValue("true") boolean extension,
    @DefaultValue Schema schema) {

  /**
   * What is made in the database at start.
   *
   * @param initialize When to install the catalog, before Flyway, Liquibase and JPA: always, never,
   *     or only on an embedded server. Embedded is one that the application or its test brings: a
   *     bean of type JdbcConnectionDetails tells where it is, as one for a container does, and not
   *     spring.datasource.*.
   * @param attach Whether to attach the columns of entities that are not attached, when the tables
   *     are there. Only where the catalog is installed at start.
   * @param check Whether to refuse to start on a catalog that is older or newer than this library,
   *     after migrations.
   */
  public record Schema(
      @DefaultValue("always") DatabaseInitializationMode initialize,
      @DefaultValue("true") boolean attach,
      @DefaultValue("true") boolean check) {}
}
