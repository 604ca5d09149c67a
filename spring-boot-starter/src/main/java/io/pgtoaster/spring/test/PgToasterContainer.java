package io.pgtoaster.spring.test;

import com.github.dockerjava.api.command.InspectContainerResponse;
import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A PostgreSQL server in a container, with the catalog installed in its database, and the server
 * extension where the image has it. With {@code @ServiceConnection} Spring Boot leads the {@code
 * DataSource} there:
 *
 * <pre>
 * &#064;Bean
 * &#064;ServiceConnection
 * PgToasterContainer postgres() {
 *   return new PgToasterContainer("postgres:18");
 * }
 * </pre>
 *
 * <p>It is used as any container of Testcontainers, which the class path of the tests needs ({@code
 * org.testcontainers:testcontainers-postgresql}, {@code
 * org.springframework.boot:spring-boot-testcontainers}).
 */
public final class PgToasterContainer extends PostgreSQLContainer {
  /** The image that is taken where none is named. */
  public static final String DEFAULT_IMAGE = "postgres:18";

  /** Makes a container of {@link #DEFAULT_IMAGE}. */
  public PgToasterContainer() {
    this(DEFAULT_IMAGE);
  }

  /**
   * Makes a container.
   *
   * @param image name of an image of PostgreSQL 15 to 19 that is started as the official one is,
   *     such as {@code postgres:16} or one of your own with the extension
   */
  public PgToasterContainer(String image) {
    this(DockerImageName.parse(image));
  }

  /**
   * Makes a container.
   *
   * @param image of PostgreSQL 15 to 19 that is started as the official one is
   */
  public PgToasterContainer(DockerImageName image) {
    super(image.asCompatibleSubstituteFor("postgres"));
  }

  @Override
  protected void containerIsStarted(InspectContainerResponse container) {
    super.containerIsStarted(container);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(getJdbcUrl());
    source.setUser(getUsername());
    source.setPassword(getPassword());
    PgToaster.create(source).catalog().install();
    try (Connection connection = source.getConnection();
        Statement s = connection.createStatement()) {
      if (hasExtension(s)) {
        s.execute("CREATE EXTENSION IF NOT EXISTS pgtoaster");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the extension of the image " + getDockerImageName() + " cannot be created", e);
    }
  }

  private static boolean hasExtension(Statement s) throws SQLException {
    try (ResultSet rows =
        s.executeQuery("SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'pgtoaster'")) {
      return rows.next();
    }
  }
}
